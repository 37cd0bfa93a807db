import type { Token } from "../../text/tokens.js";
import { isCompound, isJudging } from "./judging-words.js";
import type { NounChunk } from "./noun-chunks.js";
import { isQuantity, skipQuantity } from "./quantities.js";
import { OPENERS, SLANG, WEEKDAYS } from "./stop-words.js";
import { isNoun } from "./word-shapes.js";

const WORDS_MAX = 6;

/**
 * The part of a chunk that says what it is about, without verbs, possessors, quantities and judgments: `my other
 * friend's new car` → `new car`, `to cut 2,500 jobs` → `jobs`, `terrible battery` → `battery`. Empty for a chunk of
 * determiners, pronouns and quantities only.
 */
export function cutChunk(tokens: readonly Token[], { first, last, head, at = last }: NounChunk): NounChunk[] {
  const end = endOf(tokens, { first, last, at });
  const headAt = Math.min(at, end);
  // Without the chat word after it, an adjective is no chunk: `tired rn`.
  if (end < at && !isNoun(tokens[end])) return [];
  if (isQuantity(tokens, first, headAt)) return [];
  const begin = beginOf(tokens, first, headAt);
  if (begin > headAt || end - begin >= WORDS_MAX) return [];
  return tokens.slice(begin, end + 1).every(isReadable) ? [{ first: begin, last: end, head, at: headAt }] : [];
}

/** The last token, without signs after the head and without chat words, which are taken for heads (`cap fr fr`). */
function endOf(tokens: readonly Token[], { first, last, at }: { first: number; last: number; at: number }): number {
  let end = last;
  while (end > at && !isEnd(tokens[end])) end--;
  while (end > first && (isSlang(tokens[end]) || isAside(tokens, end) || /^\p{Ll}$/u.test(tokens[end]?.text ?? "")))
    end--;
  return end;
}

const ASIDES: ReadonlySet<string> = new Set("thanks thx thnx pls plz please tday ish".split(" "));

/** `Rugby saturday`, `parcel today`: a day behind a noun is when, and no part of it; `Black Friday` is a name. */
function isAside(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (token === undefined || before === undefined) return false;
  if (ASIDES.has(token.lower) || DAYS.has(token.lower)) return true;
  return WEEKDAYS.has(token.lower) && isNoun(before) && !isCompound(before, token);
}

/** `Section 7` ends with a number. */
function isEnd(token: Token | undefined): boolean {
  return isReadable(token) && (isNoun(token) || token?.kind === "number");
}

/** The first token of the core: after verbs, possessors, articles, quantities, judgments and what cannot be read. */
function beginOf(tokens: readonly Token[], first: number, headAt: number): number {
  let begin = first;
  for (let at = first; at < headAt; at++) if (endsBefore(tokens, first, at)) begin = at + 1;
  for (let next = begin; ; begin = next) {
    while (next <= headAt && isOpener(tokens, next)) next++;
    next = skipQuantity(tokens, next, headAt);
    if (next < headAt && isAdverb(tokens, next)) next++;
    if (next < headAt && isJudging(tokens, next)) next++;
    if (next === begin) return begin;
  }
}

function endsBefore(tokens: readonly Token[], first: number, at: number): boolean {
  // What stands before a judgment or number of order is addressed or possesses: `titi nice video`, `Vikings 3rd goal`.
  if (
    isPossessive(tokens, at) ||
    (at > first && !isAfterHyphen(tokens, at) && (isJudging(tokens, at) || isOrdinal(tokens, at)))
  )
    return true;
  if (ARTICLES.has(tokens[at]?.lower ?? "") || isVerb(tokens, first, at)) return !isHyphenated(tokens, at);
  if (isDash(tokens, at)) return true;
  // `the mythical "Arab street"`, but not `f*cking`.
  return !isReadable(tokens[at]) && (tokens[at]?.spaced === true || tokens[at + 1]?.spaced === true);
}

function isOrdinal(tokens: readonly Token[], at: number): boolean {
  return /^\d+(?:st|nd|rd|th)$/.test(tokens[at]?.lower ?? "") && !isHyphenated(tokens, at);
}

/** `hit-and-miss`, `on-site`: small words of a compound. */
function isHyphenated(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return next?.text === "-" && !next.spaced;
}

/** `Tickets - Manager`: a dash with spaces around it separates. */
function isDash(tokens: readonly Token[], at: number): boolean {
  const [sign, next] = [tokens[at], tokens[at + 1]];
  return next?.spaced === true && (sign?.text === "/" || (/^[-–—]$/.test(sign?.text ?? "") && sign?.spaced === true));
}

/** What stands before them in a chunk is no part of it: `have the same structure`. */
const ARTICLES: ReadonlySet<string> = new Set("the a an my your his her its our their".split(" "));

/** What no reader takes for a modifier of the noun after it. */
const CLAUSAL: ReadonlySet<string> = new Set(["AUX", "PART", "SCONJ"]);
const PARTICIPLES: ReadonlySet<string> = new Set(
  "lost left made built sold paid cut set spent burnt spoilt hidden fed bred led spilt torn worn shot hurt hurting kept bought sent".split(
    " ",
  ),
);
/** Before a verb stands its subject or object, or what opens an infinitive. */
const GOVERNING: ReadonlySet<string> = new Set(["PART", "AUX", "PRON", "NOUN", "PROPN"]);
const FOLLOWING: ReadonlySet<string> = new Set(["ADJ", "NUM", "DET", "PRON", "PROPN"]);

/** Whether a token is a verb whose object the chunk is, and no participle that modifies it: `lost luggage` is both. */
function isVerb(tokens: readonly Token[], first: number, at: number): boolean {
  const token = tokens[at];
  if (token === undefined || isAfterHyphen(tokens, at)) return false;
  if (CLAUSAL.has(token.pos)) return token.lower !== "'s" && token.lower !== "'";
  if (token.pos !== "VERB") return false;
  if (!/(?:ed|ing|en|wn)$/.test(token.lower) && !PARTICIPLES.has(token.lower)) return true;
  // A participle behind an article or adjective of the chunk modifies: `a weird spiked haircut`.
  for (let before = first; before < at; before++) if (NOMINAL.has(tokens[before]?.pos ?? "")) return false;
  const before = token.newLine ? undefined : tokens[at - 1];
  if (before !== undefined && GOVERNING.has(before.pos) && !POSSESSIVE.test(before.lower)) return true;
  return FOLLOWING.has(tokens[at + 1]?.pos ?? "") && before?.pos !== "DET" && before?.pos !== "ADP";
}

const NOMINAL: ReadonlySet<string> = new Set(["DET", "ADJ", "NUM", "NOUN", "PROPN"]);
const POSSESSIVE = /^(?:my|your|his|her|its|our|their|whose|'s|')$/;

function isAfterHyphen(tokens: readonly Token[], at: number): boolean {
  return tokens[at - 1]?.text === "-" && tokens[at]?.spaced === false;
}

/** `fairly new phone`; but `well-known`. */
function isAdverb(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  return token?.pos === "ADV" && !isHyphenated(tokens, at) && next !== undefined && !isCompound(token, next);
}

function isPossessive(tokens: readonly Token[], at: number): boolean {
  const lower = tokens[at]?.lower;
  return lower === "'s" || (lower === "'" && tokens[at]?.spaced === false);
}

/** Parts of speech with which no topic begins: a reach to the left may end at the conjunction of two adjectives. */
const LEADING: ReadonlySet<string> = new Set(["DET", "PRON", "PUNCT", "CCONJ", "SCONJ", "ADP", "INTJ"]);
const SIGNS: ReadonlySet<string> = new Set(["symbol", "punctuation"]);

function isOpener(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token || isHyphenated(tokens, at)) return false;
  if (LEADING.has(token.pos) || SIGNS.has(token.kind) || /^\p{Ll}$/u.test(token.text)) return true;
  const next = tokens[at + 1];
  if (next !== undefined && isTime(tokens, at) && !isCompound(token, next)) return true;
  return isSlang(token) || OPENERS.has(token.lower);
}

/** `tomorrow tickets`, `Friday night drinks`, `Monday schedule`: when, and not what. */
function isTime(tokens: readonly Token[], at: number): boolean {
  const lower = tokens[at]?.lower ?? "";
  return DAYS.has(lower) || WEEKDAYS.has(lower) || (PARTS.has(lower) && WEEKDAYS.has(tokens[at - 1]?.lower ?? ""));
}

const PARTS: ReadonlySet<string> = new Set("morning afternoon evening night".split(" "));

/** Adverbs of time that taggers take for the noun before another: `tomorrow tickets`. */
const DAYS: ReadonlySet<string> = new Set(
  "today tonight tomorrow yesterday tonite tmrw tmr 2day 2nite 2morrow".split(" "),
);

/** Two capitals are an abbreviation of something else: `BC`, `DW`. */
function isSlang(token: Token | undefined): boolean {
  if (!token || /^\p{Lu}{2}$/u.test(token.text)) return false;
  return SLANG.has(token.lower.replace(/(\p{L})\1{2,}/u, "$1"));
}

/** Capitals, small letters and digits in no order are a code, no model: `H9CMNjtZ1r6`, `jKPmMcdNAgI`. */
const CODE =
  /^(?:(?=(?:.*\p{Ll}){2})(?=(?:.*\p{Lu}){2})(?=(?:.*\p{N}){2})[\p{L}\p{N}]{8,}|(?=[\p{L}\p{N}]{8,}$)(?:.*\p{Ll}\p{Lu}){3}.*)$/u;
const FOREIGN = /(?!\p{Script=Latin})\p{L}/u;

/**
 * Words in Latin letters: in other scripts the dictionary knows no nouns, and whole sentences are taken for one word.
 */
function isReadable(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === "number" || /^[-–/,&]$/.test(token.text)) return true;
  if (token.kind !== "word" || token.text.length > 40 || CODE.test(token.text)) return false;
  return /\p{Script=Latin}/u.test(token.text) && !FOREIGN.test(token.text);
}
