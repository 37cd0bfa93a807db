import type { PartOfSpeech, Token } from "../../text/tokens.js";
import { isNoun } from "./word-shapes.js";
import { WEEKDAYS } from "./stop-words.js";

/** A noun with its modifiers on the left; `first` and `last` are token indexes, both inclusive. */
export interface NounChunk {
  readonly first: number;
  readonly last: number;
  /** Part of speech of the head, the last noun. */
  readonly head: PartOfSpeech;
  /** Index of the head if it is not the last token. */
  readonly at?: number;
}

/**
 * Finds noun chunks: a noun or name with its contiguous determiners, adjectives, numbers, compound nouns and
 * possessors. A possessor is a separate chunk and part of the chunk that it opens; the same holds for a title before
 * a name.
 */
export function findNounChunks(tokens: readonly Token[]): NounChunk[] {
  const chunks: NounChunk[] = [];
  let at = 0;
  while (at < tokens.length) {
    const end = readChunk(tokens, at, chunks);
    at = end > at ? end : at + 1;
  }
  return chunks;
}

const POSSESSIVES = new Set(["my", "your", "his", "her", "its", "our", "their", "whose", "ur", "thy"]);
const QUESTION_WORDS = new Set(["how", "when", "where", "why", "only", "even", "just"]);
const DAYS = new Set([...WEEKDAYS, "today", "tonight", "tomorrow", "yesterday"]);
const ARTICLES = new Set(["a", "an", "the", "every"]);
const TITLES = new Set(
  (
    "president minister secretary senator governor judge justice general colonel captain king queen prince princess pope " +
    "cleric spokesman spokeswoman spokesperson leader coach director chairman congressman pm ceo analyst adviser author " +
    "actor actress singer sheikh sergeant officer professor commander premier chancellor mayor chief"
  ).split(" "),
);

/** Reads one chunk from `first` on, and the chunks of its possessors; returns the index after it. */
function readChunk(tokens: readonly Token[], first: number, chunks: NounChunk[]): number {
  let at = skipModifiers(tokens, first, skipDeterminers(tokens, first));
  for (;;) {
    const end = skipNouns(tokens, at);
    if (end === at) return at;
    addTitle(tokens, first, { at, end }, chunks);
    chunks.push({ first, last: end - 1, head: tokens[end - 1]?.pos ?? "NOUN" });
    if (!isPossessive(tokens, end)) return end;
    const next = skipModifiers(tokens, end, end + 1);
    if (skipNouns(tokens, next) === next) return end + 1;
    at = next;
  }
}

/** `President` is a chunk inside `President Bush`. */
function addTitle(
  tokens: readonly Token[],
  first: number,
  nouns: { at: number; end: number },
  chunks: NounChunk[],
): void {
  for (let at = nouns.at; at < nouns.end - 1; at++) {
    const token = tokens[at];
    if (!token || !TITLES.has(token.lower) || !isNameLike(tokens[at + 1])) continue;
    chunks.push({ first, last: at, head: token.pos });
    return;
  }
}

function isNameLike(token: Token | undefined): boolean {
  return token?.pos === "PROPN" && !token.known && /^\p{Lu}/u.test(token.text);
}

function skipDeterminers(tokens: readonly Token[], from: number): number {
  let at = from;
  while (isDeterminer(tokens[at]) && at - from < 3) {
    if (at > from && tokens[at]?.newLine === true) break;
    at++;
  }
  return at;
}

function isDeterminer(token: Token | undefined): boolean {
  if (token === undefined) return false;
  return token.pos === "DET" || POSSESSIVES.has(token.lower) || ARTICLES.has(token.lower);
}

/** Skips adjectives, numbers, participles and the adverbs before them. */
function skipModifiers(tokens: readonly Token[], first: number, from: number): number {
  let at = from;
  for (;;) {
    const step = modifierLength(tokens, first, at);
    if (step === 0) return at;
    at += step;
  }
}

function modifierLength(tokens: readonly Token[], first: number, at: number): number {
  const token = tokens[at];
  if (token === undefined || (at > first && token.newLine)) return 0;
  if (isHyphen(token)) return at > first && tokens[at + 1]?.spaced === false ? 1 : 0;
  const joined = joinedLength(tokens, at);
  return joined > 0 ? joined : lengthByTag(tokens, first, at);
}

function lengthByTag(tokens: readonly Token[], first: number, at: number): number {
  switch (tokens[at]?.pos) {
    case "ADJ":
      return 1 + linkLength(tokens, at);
    case "NUM":
      return 1;
    case "ADV":
      return modifiesAdjective(tokens, at) && modifierLength(tokens, first, at + 1) > 0 ? 1 : 0;
    case "VERB":
      return isParticiple(tokens, first, at) ? 1 : 0;
    default:
      return 0;
  }
}

/** `bad, bad tradeoff`, `nice and quiet place`: two adjectives before one noun. */
function linkLength(tokens: readonly Token[], at: number): number {
  const link = tokens[at + 1]?.lower;
  if (link !== "," && link !== "and" && link !== "or" && link !== "but") return 0;
  return tokens[at + 2]?.pos === "ADJ" && isNoun(tokens[at + 3]) ? 1 : 0;
}

function modifiesAdjective(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.pos;
  if (QUESTION_WORDS.has(tokens[at]?.lower ?? "")) return false;
  return next === "ADJ" || next === "ADV";
}

/**
 * The length of a hyphenated modifier, for example `well-known` or `text-based`; 0 if it ends with a noun or no noun
 * follows.
 */
function joinedLength(tokens: readonly Token[], at: number): number {
  let end = at + 1;
  while (isHyphen(tokens[end]) && tokens[end + 1]?.kind === "word" && tokens[end + 1]?.spaced === false) end += 2;
  if (end === at + 1 || isNoun(tokens[end - 1])) return 0;
  const next = tokens[end];
  return next?.spaced === true && (isNoun(next) || next.pos === "ADJ") ? end - at : 0;
}

/** A participle precedes its noun, inside a chunk or at its start after a preposition. */
function isParticiple(tokens: readonly Token[], first: number, at: number): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (!token || !next || !/(?:ed|ing|en|wn)$/.test(token.lower)) return false;
  return (at > first || (tokens[at - 1]?.pos === "ADP" && token.lower.endsWith("ed"))) && isNoun(next);
}

function isHyphen(token: Token | undefined): boolean {
  if (token === undefined) return false;
  return (token.text === "-" || token.text === "–" || token.text === "/") && !token.spaced;
}

function skipNouns(tokens: readonly Token[], from: number): number {
  let at = from;
  while (at < tokens.length) {
    const token = tokens[at];
    if (!token || (at > from && (token.newLine || startsChunk(tokens, at)))) break;
    if (isNoun(token)) {
      at++;
      continue;
    }
    const next = tokens[at + 1];
    if (at > from && isHyphen(token) && isNoun(next) && next?.spaced === false) {
      at += 2;
      continue;
    }
    break;
  }
  return at;
}

/** `game tonight`, `Fallujah Wednesday`: a day after a noun begins a new chunk, and so does an address. */
function startsChunk(tokens: readonly Token[], at: number): boolean {
  const kinds = [tokens[at - 1]?.kind, tokens[at]?.kind];
  if (kinds.includes("url") || kinds.includes("email")) return true;
  return DAYS.has(tokens[at]?.lower ?? "") && !DAYS.has(tokens[at - 1]?.lower ?? "");
}

function isPossessive(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  return token?.pos === "PART" && (token.lower === "'s" || token.lower === "'") && !token.spaced;
}
