import type { Topic } from "../../analyzer.js";
import type { Token } from "../../text/tokens.js";
import { findEntities } from "./entities.js";
import type { Entity, EntityType } from "./entity.js";
import { bitOf, type Gazetteer, listsOf } from "./gazetteers.js";
import { wordsOfHashtag } from "./hashtags.js";
import { findNounChunks, type NounChunk } from "./noun-chunks.js";

/** The most topics a text yields. */
export const TOPICS_MAX = 50;

/** The topics of a text: its entities, then its noun chunks, each group by salience and without repeats. */
export function topicsOf(text: string, tokens: readonly Token[]): Topic[] {
  const found = findEntities(tokens);
  const entities = collect([...found.map((entity) => entityOf(text, tokens, entity)), ...hashtagEntities(tokens)]);
  const taken = new Set(entities.map(({ key }) => key));
  const inside = new Map(
    found.flatMap((entity) => range(entity.first, entity.last).map((at) => [at, entity] as const)),
  );
  const chunks = collect([
    ...(isEnglish(tokens) ? findNounChunks(tokens) : []).flatMap((chunk) => chunkOf(text, tokens, { chunk, inside })),
    ...hashtagChunks(tokens),
  ]).filter(({ key }) => !taken.has(key));
  return [...bySalience(entities), ...bySalience(chunks)].slice(0, TOPICS_MAX).map(({ topic }) => topic);
}

/** Words of English grammar that other languages of Latin script do not spell alike. */
const GRAMMAR = new Set(
  (
    "the and of to is are was were be been has have had that this these those with for from by at you your he she it its we " +
    "they them their my not but what who which when how why will would can could should do does did n't 's 'm 're just " +
    "about out up all so if or as there here"
  ).split(" "),
);
/** Fewer words than this do not tell a language. */
const LANGUAGE_WORDS_MIN = 8;
const GRAMMAR_SHARE_MIN = 0.08;
const KNOWN_SHARE_MIN = 0.7;

/** Whether noun chunks can be trusted: in other languages, the English tagger takes any word for a noun. */
function isEnglish(tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind }) => kind === "word");
  if (words.length < LANGUAGE_WORDS_MIN) return true;
  const grammar = words.filter(({ lower }) => GRAMMAR.has(lower)).length;
  const known = words.filter((word) => word.known).length;
  return grammar >= words.length * GRAMMAR_SHARE_MIN || known >= words.length * KNOWN_SHARE_MIN;
}

/** A topic at one place of the text. */
interface Occurrence {
  topic: Topic;
  /** Index of its first token. */
  at: number;
  /** How much one occurrence counts. */
  weight: number;
}

/** A topic with all its occurrences. */
interface Salient {
  topic: Topic;
  key: string;
  at: number;
  weight: number;
}

function collect(occurrences: readonly Occurrence[]): Salient[] {
  const byKey = new Map<string, Salient>();
  for (const { topic, at, weight } of occurrences) {
    const key = keyOf(topic.value);
    if (key === "") continue;
    const known = byKey.get(key);
    if (known) known.weight += weight;
    else byKey.set(key, { topic, key, at, weight });
  }
  return [...byKey.values()];
}

/** Spellings of one topic: `Apple`, `apple's` and `the Apple` share a key. */
function keyOf(value: string): string {
  return value
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/^(?:the|a|an) /, "")
    .replace(/'s?$/, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

/** Often and early first. */
function bySalience(found: readonly Salient[]): Salient[] {
  const score = ({ weight, at }: Salient): number => weight * (1 + 1 / (1 + at / 10));
  return [...found].sort((a, b) => score(b) - score(a) || a.at - b.at);
}

function entityOf(text: string, tokens: readonly Token[], { first, last, type }: Entity): Occurrence {
  const words = range(first, last).map((at) => tokens[at]);
  const tag = first === last && words[0]?.kind === "hashtag";
  const value = tag ? wordsOfHashtag(words[0]?.text ?? "") : spelling(text, tokens, first, last);
  return { topic: { value, topic_type: "entity", sub_type: type }, at: first, weight: 1 };
}

const LIST_TYPES: readonly (readonly [Gazetteer, EntityType])[] = [
  ["events", "EVENT"],
  ["laws", "LAW"],
  ["countries", "GPE"],
  ["persons", "PERSON"],
  ["nationalities", "NORP"],
  ["organizations", "ORG"],
  ["cities", "GPE"],
  ["facilities", "FAC"],
  ["products", "PRODUCT"],
  ["works", "WORK_OF_ART"],
];

/** Hashtags that spell out an entry of a word list; a single common word such as `#apple` must be capitalised. */
function hashtagEntities(tokens: readonly Token[]): Occurrence[] {
  return tokens.flatMap((token, at) => {
    if (token.kind !== "hashtag") return [];
    const value = wordsOfHashtag(token.text);
    const lists = listsOf(value.toLowerCase());
    const type = LIST_TYPES.find(([list]) => (lists & bitOf(list)) !== 0)?.[1];
    if (!type || (!value.includes(" ") && !/^\p{Lu}/u.test(value))) return [];
    return [{ topic: { value, topic_type: "entity", sub_type: type }, at, weight: 1 }];
  });
}

function hashtagChunks(tokens: readonly Token[]): Occurrence[] {
  return tokens.flatMap((token, at) => {
    if (token.kind !== "hashtag") return [];
    const value = wordsOfHashtag(token.text);
    if (value.length < 2 || VAGUE.has(value.toLowerCase())) return [];
    const head = /^\p{Lu}/u.test(value) ? "PROPN" : "NOUN";
    return [{ topic: { value, topic_type: "noun-chunk", sub_type: head }, at, weight: 1 }];
  });
}

/** Nouns that say nothing about what a text is about. */
const VAGUE = new Set(
  (
    "thing things stuff lot lots bit kind kinds sort sorts way ways one ones thanks thank time times day days today tonight " +
    "tomorrow yesterday guy guys someone something anything everything nothing anyone everyone people person lol rt fb ff " +
    "week weeks month months year years hour hours minute minutes moment morning night afternoon evening rest part end " +
    "couple bunch side place fact case point example reason number ok yes no hi hey oh haha idk tbh btw fyi dm pm am a.m. p.m. " +
    "monday tuesday wednesday thursday friday saturday sunday tbt nowplaying np follow retweet cant dont im"
  ).split(" "),
);
const OPENERS = new Set([
  "such",
  "own",
  "same",
  "other",
  "many",
  "much",
  "more",
  "most",
  "few",
  "several",
  "less",
  "very",
  "all",
]);
const WORDS_MAX = 6;
const LENGTH_MAX = 80;

interface Candidate {
  chunk: NounChunk;
  /** The entity that a token belongs to, by token. */
  inside: ReadonlyMap<number, Entity>;
}

/** The chunk as a topic; none when it is an entity's, vague, or holds what no reader would call words. */
function chunkOf(text: string, tokens: readonly Token[], { chunk, inside }: Candidate): Occurrence[] {
  const { last, head } = chunk;
  const first = withoutOpeners(tokens, chunk);
  const words = range(first, last);
  if (words.length === 0 || words.length > WORDS_MAX || !words.every((at) => isReadable(tokens[at]))) return [];
  // A chunk whose head is an entity's adds only adjectives to it, and one that cuts an entity in two misleads.
  if (inside.has(last) || (inside.get(first)?.first ?? first) < first) return [];
  const value = spelling(text, tokens, first, last);
  const vague = VAGUE.has(value.toLowerCase()) || (words.length === 2 && VAGUE.has(tokens[last]?.lower ?? ""));
  if (vague || isNoise(value)) return [];
  const weight = weightOf(head, words.length) * (words.some((at) => inside.has(at)) ? 0.8 : 1);
  return [{ topic: { value, topic_type: "noun-chunk", sub_type: head }, at: first, weight }];
}

/** Names and phrases say more than single words. */
function weightOf(head: string, words: number): number {
  return (head === "PROPN" ? 1.3 : 1) * (words > 1 ? 1.2 : 1);
}

/** Single letters, endless runs, fragments of words, and the sounds that posts spell out: `re`, `soooo`, `haha`. */
function isNoise(value: string): boolean {
  if (value.length < 2 || value.length > LENGTH_MAX || /^\p{Ll}{2}$/u.test(value)) return true;
  return (
    /(\p{L})\1{2}/iu.test(value) || /^(?:(?:ha|he|hi|ja|lo){2,}h?|a+w+|e+w+w*|o+h+|u+g+h+|h+m+|m+h*m+)$/i.test(value)
  );
}

/** `my other friend's new car` → `new car`: what points or counts is not what a text is about. */
function withoutOpeners(tokens: readonly Token[], { first, last }: NounChunk): number {
  let at = first;
  for (let index = first; index < last; index++) if (tokens[index]?.pos === "PART") at = index + 1;
  while (at <= last && isOpener(tokens[at])) at++;
  return at;
}

function isOpener(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.pos === "DET" || token.pos === "PRON" || token.pos === "PUNCT") return true;
  return (
    OPENERS.has(token.lower) || /^(?:the|a|an|my|your|his|her|its|our|their|whose|this|that|ur)$/.test(token.lower)
  );
}

/** Words of Latin letters: in other scripts the dictionary knows no nouns, and whole sentences pass for one word. */
function isReadable(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === "number" || token.text === "-" || token.text === "/" || token.text === "–" || token.text === ",")
    return true;
  return token.kind === "word" && /\p{Script=Latin}/u.test(token.text) && token.text.length <= 40;
}

function spelling(text: string, tokens: readonly Token[], first: number, last: number): string {
  return text
    .slice(tokens[first]?.start ?? 0, tokens[last]?.end ?? 0)
    .replace(/\s+/g, " ")
    .trim();
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
