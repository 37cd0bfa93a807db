import type { Token } from "../../text/tokens.js";
import { wink } from "../../text/wink.js";
import { rankOf, specificity } from "./word-ranks.js";
import type { TopicGroup } from "./grouping.js";
import type { Occurrence } from "./annotation.js";

/** How likely an entity of a type is to be the topic; a chunk of common nouns counts 1. */
const TYPE_WEIGHTS: Readonly<Record<string, number>> = {
  PERSON: 1.9,
  ORG: 1.9,
  PRODUCT: 1.9,
  EVENT: 1.9,
  WORK_OF_ART: 1.9,
  LAW: 1.9,
  FAC: 1.6,
  GPE: 1.6,
  LOC: 1.6,
  NORP: 1.3,
  LANGUAGE: 1.3,
};
const NAME_CHUNK_WEIGHT = 1.2;
const PHRASE_WEIGHT = 1.15;
/** Added to an occurrence's weight of 1. */
const SUBJECT = 0.4;
const TITLE = 0.4;
const ABOUT = 0.3;
const HASHTAG = 0.2;
/** Weight of an occurrence in an idiom (`on hold`, `for sale`) or as a label (`Review:`), instead of 1. */
const IDIOM = 0.6;
/** Maximum bonus for an early first occurrence, and the number of tokens after which half of it is left. */
const EARLY = 0.8;
const EARLY_TOKENS = 12;

/** Scores topics by frequency, early occurrence, position as subject or in a title, and specific words. */
export function createSalience(tokens: readonly Token[]): (group: TopicGroup) => number {
  const titleEnd = endOfTitle(tokens);
  return (group) => {
    let mass = 0;
    let first = Infinity;
    for (const occurrence of group.occurrences) {
      mass += massOf(tokens, occurrence, titleEnd);
      first = Math.min(first, occurrence.first);
    }
    const early = 1 + EARLY / (1 + first / EARLY_TOKENS);
    return weightOf(group) * Math.sqrt(mass) * early;
  };
}

function weightOf({ type, occurrences }: TopicGroup): number {
  const [occurrence] = occurrences;
  if (!occurrence) return 0;
  if (type === "entity") return TYPE_WEIGHTS[occurrence.tag] ?? 1;
  const words = occurrence.value.split(" ").map(rarity);
  const special = words.reduce((top, each) => Math.max(top, each), 0);
  const head = words.at(-1) ?? 0;
  const content = 0.35 + 0.35 * special + 0.3 * head;
  return content * (occurrence.tag === "PROPN" ? NAME_CHUNK_WEIGHT : 1) * (words.length > 1 ? PHRASE_WEIGHT : 1);
}

/** How specific a word is that no list of common words and no dictionary has, unless a capital makes it a name. */
const ODDITY = 0.6;

/** How specific a word is, from 0 to 1; what is in small letters and unknown is slang or misspelled more often than rare. */
function rarity(word: string): number {
  const lower = word.toLowerCase();
  const odd = word === lower && rankOf(lower) === Infinity && !/[-/]/.test(word) && !wink().knows(lower);
  return odd ? ODDITY : specificity(lower);
}

function massOf(tokens: readonly Token[], occurrence: Occurrence, titleEnd: number): number {
  const { first, last, hashtag } = occurrence;
  if (hashtag) return 1 + HASHTAG;
  if (isIdiom(tokens, occurrence)) return IDIOM;
  const title = last < titleEnd ? TITLE : 0;
  return 1 + title + (isSubject(tokens, first, last) ? SUBJECT : 0) + (isAbout(tokens, first) ? ABOUT : 0);
}

/** Whether a verb follows, and no preposition or verb precedes as governor: `My phone just died`. */
function isSubject(tokens: readonly Token[], first: number, last: number): boolean {
  let after = afterComplement(tokens, last + 1);
  while (tokens[after]?.pos === "ADV") after++;
  const verb = tokens[after]?.pos;
  if (verb !== "VERB" && verb !== "AUX") return false;
  let before = first - 1;
  while (isInside(tokens[before]) && tokens[before + 1]?.newLine !== true) before--;
  const governor = tokens[before]?.pos;
  return governor !== "ADP" && governor !== "VERB";
}

const COMPLEMENT_MAX = 6;
const NOMINAL: ReadonlySet<string> = new Set(["DET", "ADJ", "NOUN", "PROPN", "NUM"]);

/** The position at which the verb may stand after `of the city`. */
function afterComplement(tokens: readonly Token[], at: number): number {
  if (tokens[at]?.lower !== "of") return at;
  let after = at + 1;
  while (after - at <= COMPLEMENT_MAX && NOMINAL.has(tokens[after]?.pos ?? "")) after++;
  return after;
}

/** A bare noun after a preposition, or before a colon at the start. */
function isIdiom(tokens: readonly Token[], { first, last, tag }: Occurrence): boolean {
  if (first !== last || tag !== "NOUN") return false;
  const before = tokens[first - 1];
  return (before?.pos === "ADP" && before.lower !== "about") || (first === 0 && tokens[1]?.text === ":");
}

function isInside(token: Token | undefined): boolean {
  return token?.pos === "DET" || token?.pos === "ADJ" || (token?.pos === "PRON" && POSSESSIVE.test(token.lower));
}

const POSSESSIVE = /^(?:my|your|his|her|its|our|their)$/;

function isAbout(tokens: readonly Token[], first: number): boolean {
  const before = tokens[first - 1];
  const word = before?.pos === "DET" ? tokens[first - 2]?.lower : before?.lower;
  return word === "about" || word === "regarding";
}

const TITLE_TOKENS_MAX = 16;

/** A first line of few words without a full stop is a title; returns the index after it, or 0 if there is none. */
function endOfTitle(tokens: readonly Token[]): number {
  const end = tokens.slice(0, TITLE_TOKENS_MAX + 1).findIndex(({ newLine }, at) => at > 0 && newLine);
  return end > 0 && tokens[end - 1]?.text !== "." ? end : 0;
}
