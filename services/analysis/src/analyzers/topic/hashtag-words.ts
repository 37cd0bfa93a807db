import { wink } from "../../text/wink.js";
import { usualSpelling } from "./brand-names.js";
import { rankOf, surprise } from "./word-ranks.js";
import { listsOf, spacedEntry } from "../../text/gazetteers.js";

/** Splits a hashtag into words: `#WorldCup2014` → `World Cup 2014`, `#throwbackthursday` → `throwback thursday`. */
export function wordsOfHashtag(hashtag: string): string {
  const known = read.get(hashtag);
  if (known !== undefined) return known;
  const words = split(hashtag);
  if (read.size >= READ_MAX) read.clear();
  read.set(hashtag, words);
  return words;
}

/** The words of a hashtag that is a name: without capitals it gets its usual spelling, `#nhs` → `NHS`. */
export function namedHashtag(hashtag: string): string {
  const words = wordsOfHashtag(hashtag);
  return /\p{Lu}/u.test(words) ? words : usualSpelling(words);
}

/** Longer hashtags are noise. */
const LENGTH_MAX = 100;
/** Hashtags recur, so readings are cached; the cache is emptied at this size. */
const READ_MAX = 2_000;
const read = new Map<string, string>();

function split(hashtag: string): string {
  const body = hashtag
    .replace(/^[#＃]/, "")
    .replace(/_+/g, " ")
    .trim();
  if (isWhole(body) || body.length > LENGTH_MAX) return body;
  return withAcronym(body)
    .replace(/(?<!^[ie])(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .replace(/(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?:\P{L}|$))/gu, " ")
    .replace(/(?<=\p{Ll}|\p{Lu}{2})(?=\p{N}{2})/gu, " ")
    .replace(/(?<=^\d{1,2}(?:st|nd|rd|th))(?=\p{L}{3})/giu, " ")
    .replace(/(?<=\d{3})(?=\p{L}{3})/gu, " ")
    .split(/\s+/)
    .map((part) => (/^(?:[a-z]{5,30}|[A-Z]{7,30}|[A-Z][a-z]{5,30})$/.test(part) ? segment(part) : part))
    .join(" ");
}

/** `AIethics` → `AI ethics`: the last capital belongs to the acronym if the rest is a word without it. */
function withAcronym(body: string): string {
  const [, acronym = "", rest = ""] = /^(\p{Lu}{2,4})(\p{Ll}{4,20})$/u.exec(body) ?? [];
  if (rest === "" || !wink().knows(rest) || wink().knows(acronym.slice(-1).toLowerCase() + rest)) return body;
  return `${acronym} ${rest}`;
}

/** `YouTube`, `iPhone`: inner capitals are part of the name; `CEOs`: a plural. */
function isWhole(body: string): boolean {
  if (/^\p{Lu}{2,}s$/u.test(body)) return true;
  return /\p{Ll}\p{Lu}/u.test(body) && !body.includes(" ") && listsOf(body.toLowerCase()) !== 0;
}

const WORD_MAX = 18;
const WORDS_MAX = 5;
/** Rank of words that a dictionary or list of names contains but that are rare in posts. */
const DICTIONARY_RANK = 40_000;
const NAME_RANK = 60_000;
/** Cost of an unknown word per letter; a split may cost at most `SLACK` more than the whole run as such a word. */
const LETTER = 2.7;
const SLACK = 3;
/** Words of one or two letters, the only ones accepted inside a run of letters. */
const SHORT = new Set(
  "a i tv uk us am an as at be by do go he if in is it me my no of on or so to up we vs".split(" "),
);
/** Fragments of words that the dictionary contains as words, too. */
const FRAGMENTS = new Set(["ing", "ers", "est", "ter", "pre", "inst", "com"]);
/** Cost per word: splits into fewer words are likelier than their frequencies suggest. */
const WORD_COST = 0.7;

interface Cut {
  cost: number;
  words: readonly string[];
}

/**
 * Splits a run of letters into the likeliest words, at most five; leaves it whole if it is a word or no split is
 * likely.
 */
function segment(letters: string): string {
  const lower = letters.toLowerCase();
  if (costOf(lower) < Infinity) return letters;
  const entry = spacedEntry(lower);
  if (entry !== undefined) return inLengths(letters, entry.split(" "));
  const best: (Cut | undefined)[] = [{ cost: 0, words: [] }];
  for (let end = 1; end <= lower.length; end++) {
    for (let start = Math.max(0, end - WORD_MAX); start < end; start++) {
      const before = best[start];
      if (!before || before.words.length >= WORDS_MAX) continue;
      const word = lower.slice(start, end);
      const cost = before.cost + costOf(word) + WORD_COST;
      if (cost < (best[end]?.cost ?? Infinity)) best[end] = { cost, words: [...before.words, word] };
    }
  }
  const cut = best[lower.length];
  if (!cut || cut.cost > lower.length * LETTER + SLACK) return letters;
  return inLengths(letters, cut.words);
}

/** The letters in their original case, split at the ends of the words. */
function inLengths(letters: string, words: readonly string[]): string {
  let at = 0;
  return words.map((word) => letters.slice(at, (at += word.length))).join(" ");
}

function costOf(word: string): number {
  if (word.length < 3) return SHORT.has(word) ? surprise(rankOf(word)) : Infinity;
  if (FRAGMENTS.has(word)) return Infinity;
  const dictionary = wink().knows(word) || (word.length > 4 && word.endsWith("s") && wink().knows(word.slice(0, -1)));
  const rank = rankOf(word);
  if (rank < Infinity && (dictionary || listsOf(word) !== 0)) return surprise(rank);
  if (word.length < 4) return Infinity;
  if (dictionary) return surprise(DICTIONARY_RANK);
  return listsOf(word) === 0 ? Infinity : surprise(NAME_RANK);
}
