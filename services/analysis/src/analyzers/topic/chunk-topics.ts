import type { Entity } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import { wink } from "../../text/wink.js";
import { type Annotation, type Occurrence, spelling } from "./annotation.js";
import type { NounChunk } from "./noun-chunks.js";
import { BEARERS, FILLERS, OPENERS, SLANG, TIME, VAGUE, WEAK } from "./stop-words.js";

/**
 * The noun chunks of a text as topics: reduced to their core, without entities, vague chunks and chunks inside others.
 */
export function chunkOccurrences({ text, tokens, entities, chunks }: Annotation): Occurrence[] {
  const inside = entityAt(tokens.length, entities);
  const cut = chunks.flatMap((chunk) => cutChunk(tokens, chunk));
  // First those around an entity: `NASA chief` remains of `NASA chief Griffin`.
  return outermost(cut.filter((chunk) => !cutsEntity(chunk, inside))).flatMap((chunk) => {
    const value = readable(text, tokens, chunk);
    if (value === undefined || isVague(tokens, chunk)) return [];
    return [{ value, type: "noun-chunk", tag: chunk.head, first: chunk.first, last: chunk.last, hashtag: false }];
  });
}

const WORDS_MAX = 6;
const LENGTH_MAX = 80;

/** `my other friend's new car` → `new car`; empty for a chunk of determiners and pronouns only. */
function cutChunk(tokens: readonly Token[], { first, last, head, at = last }: NounChunk): NounChunk[] {
  const end = endOf(tokens, { first, last, at });
  const headAt = Math.min(at, end);
  // Without the chat word after it, an adjective is no chunk: `tired rn`.
  if (end < at && !isNoun(tokens[end])) return [];
  const begin = beginOf(tokens, first, headAt);
  if (begin > headAt || end - begin >= WORDS_MAX) return [];
  return tokens.slice(begin, end + 1).every(isReadable) ? [{ first: begin, last: end, head, at: headAt }] : [];
}

/** The last token, without signs after the head and without chat words, which are taken for heads (`cap fr fr`). */
function endOf(tokens: readonly Token[], { first, last, at }: { first: number; last: number; at: number }): number {
  let end = last;
  while (end > at && (!isReadable(tokens[end]) || tokens[end]?.kind === "punctuation")) end--;
  while (end > first && isSlang(tokens[end])) end--;
  return end;
}

/** The first token of the core: after possessors, articles and what cannot be read. */
function beginOf(tokens: readonly Token[], first: number, headAt: number): number {
  let begin = first;
  for (let at = first; at < headAt; at++) if (endsBefore(tokens, at)) begin = at + 1;
  while (begin <= headAt && isOpener(tokens, begin)) begin++;
  return begin;
}

function endsBefore(tokens: readonly Token[], at: number): boolean {
  if (isPossessive(tokens, at)) return true;
  if (ARTICLES.has(tokens[at]?.lower ?? "")) return !isHyphenated(tokens, at);
  // `the mythical "Arab street"`, but not `f*cking`.
  return !isReadable(tokens[at]) && (tokens[at]?.spaced === true || tokens[at + 1]?.spaced === true);
}

/** `hit-and-miss`, `on-site`: small words of a compound. */
function isHyphenated(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return next?.text === "-" && !next.spaced;
}

/** What stands before them in a chunk is no part of it: `have the same structure`. */
const ARTICLES: ReadonlySet<string> = new Set("the a an my your his her its our their".split(" "));

/** The chunks that are not inside another: nested ones are one topic. */
function outermost(chunks: readonly NounChunk[]): NounChunk[] {
  const sorted = [...chunks].sort((a, b) => a.first - b.first || b.last - a.last);
  let reached = -1;
  return sorted.filter(({ last }) => {
    if (last <= reached) return false;
    reached = last;
    return true;
  });
}

function entityAt(length: number, entities: readonly Entity[]): readonly (Entity | undefined)[] {
  const inside = new Array<Entity | undefined>(length).fill(undefined);
  for (const entity of entities) for (let at = entity.first; at <= entity.last; at++) inside[at] = entity;
  return inside;
}

/** A chunk with the same head as an entity only adds adjectives to it, and one that cuts an entity in two misleads. */
function cutsEntity({ first, last, at }: NounChunk, inside: readonly (Entity | undefined)[]): boolean {
  if (inside[at ?? last] !== undefined) return true;
  return (inside[first]?.first ?? first) < first || (inside[last]?.last ?? last) > last;
}

function isNoun(token: Token | undefined): boolean {
  return token?.pos === "NOUN" || token?.pos === "PROPN";
}

function isPossessive(tokens: readonly Token[], at: number): boolean {
  const lower = tokens[at]?.lower;
  return lower === "'s" || (lower === "'" && tokens[at]?.spaced === false);
}

/** Parts of speech with which no topic begins: a reach to the left may end at the conjunction of two adjectives. */
const LEADING: ReadonlySet<string> = new Set(["DET", "PRON", "PUNCT", "CCONJ", "SCONJ", "ADP"]);
const SIGNS: ReadonlySet<string> = new Set(["symbol", "punctuation"]);

function isOpener(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token || isHyphenated(tokens, at)) return false;
  if (LEADING.has(token.pos) || SIGNS.has(token.kind) || /^\p{Ll}$/u.test(token.text)) return true;
  return isSlang(token) || OPENERS.has(token.lower);
}

/** Two capitals are an abbreviation of something else: `BC`, `DW`. */
function isSlang(token: Token | undefined): boolean {
  if (!token || /^\p{Lu}{2}$/u.test(token.text)) return false;
  return SLANG.has(token.lower.replace(/(\p{L})\1{2,}/u, "$1"));
}

/**
 * Words in Latin letters: in other scripts the dictionary knows no nouns, and whole sentences are taken for one word.
 */
function isReadable(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === "number" || /^[-–/,&]$/.test(token.text)) return true;
  return token.kind === "word" && /\p{Script=Latin}/u.test(token.text) && token.text.length <= 40;
}

/** The chunk as written, with elongated words shortened; undefined if it is noise. */
function readable(text: string, tokens: readonly Token[], { first, last }: NounChunk): string | undefined {
  const written = spelling(text, tokens, first, last);
  const value = /(\p{L})\1{2}/iu.test(written) ? shortened(written) : written;
  return value === undefined || isNoise(value) ? undefined : value;
}

/** `pizzaaaa` → `pizza` if that is in the dictionary; otherwise undefined. */
function shortened(value: string): string | undefined {
  const words = value.split(" ").map((word) => {
    if (!/(\p{L})\1{2}/iu.test(word)) return word;
    const doubled = word.replace(/(\p{L})\1{2,}/giu, "$1$1");
    const single = word.replace(/(\p{L})\1{2,}/giu, "$1");
    return [single, doubled].find((form) => form.length > 2 && wink().knows(form.toLowerCase()));
  });
  return words.every((word) => word !== undefined) ? words.join(" ") : undefined;
}

/** Single letters, fragments of words, and interjections: `re`, `haha`, `aww`. */
function isNoise(value: string): boolean {
  if (value.length < 2 || value.length > LENGTH_MAX || !/\p{L}/u.test(value) || /^\p{Ll}{2}$/u.test(value)) return true;
  return /^(?:(?:ha|he|hi|ja|lo|ah){2,}h?|a+w+|e+w+w*|o+h+|u+g+h+|h+m+|m+h*m+|a+r*g+h+|x+o+(?:x+o*)*)$/i.test(value);
}

/** Whether a chunk does not say what it is about: `last night`, `good thing`, `two people`, `no cap`, `of course`. */
function isVague(tokens: readonly Token[], chunk: NounChunk): boolean {
  if (isFiller(tokens, chunk) || isIdiom(tokens, chunk)) return true;
  const { first, last, at } = chunk;
  const head = tokens[at ?? last]?.lower ?? "";
  if (first === last && BEARERS.has(head) && POINTERS.has(tokens[first - 1]?.lower ?? "")) return false;
  return tokens.slice(first, last + 1).every((token) => token.kind !== "word" || !isTopic(token, head));
}

/** Whether a word makes its chunk a topic. Beside a vague head, only some are enough. */
function isTopic({ lower, pos }: Token, head: string): boolean {
  if (VAGUE.has(lower) || TIME.has(lower) || WEAK.has(lower) || OPENERS.has(lower)) return false;
  if (!VAGUE.has(head) && !TIME.has(head)) return true;
  // A noun is, `coffee time`; an adjective only for people and places, `young people`.
  return pos === "NOUN" || pos === "PROPN" || (pos === "ADJ" && BEARERS.has(head));
}

/** `this place`, `the guy`: as definite as `the restaurant`. */
const POINTERS = new Set("the this that these those some many".split(" "));

const DETERMINERS = new Set("the a an my your his her its our their this that these those".split(" "));

/** `cap` in `no cap` and `that's cap`: alone, without the article or possessor of a noun. */
function isFiller(tokens: readonly Token[], { first, last }: NounChunk): boolean {
  if (first < last || !FILLERS.has(tokens[first]?.lower ?? "")) return false;
  const before = tokens[first - 1];
  return before?.pos !== "PART" && !DETERMINERS.has(before?.lower ?? "");
}

/** Nouns that say nothing after a preposition: `of course`, `in that case`. */
const IDIOMS: ReadonlyMap<string, string> = new Map([
  ["course", "of"],
  ["order", "in"],
  ["case", "in"],
  ["general", "in"],
  ["instance", "for"],
]);

function isIdiom(tokens: readonly Token[], { first, last }: NounChunk): boolean {
  const preposition = IDIOMS.get(tokens[last]?.lower ?? "");
  if (preposition === undefined || first < last) return false;
  const before = OPENERS.has(tokens[first - 1]?.lower ?? "") ? first - 2 : first - 1;
  return tokens[before]?.lower === preposition;
}
