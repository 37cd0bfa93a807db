import { bitOf, type Entity, listsOf } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import { wink } from "../../text/wink.js";
import { type Annotation, type Occurrence, spelling } from "./annotation.js";
import { cutChunk } from "./chunk-core.js";
import { idiomTokens } from "./idioms.js";
import { isOneThing } from "./judging-words.js";
import type { NounChunk } from "./noun-chunks.js";
import { isFigurative, isPartitive } from "./vague-uses.js";
import { BEARERS, FILLERS, OPENERS, TIME, VAGUE, WEAK } from "./stop-words.js";

/**
 * The noun chunks of a text as topics: reduced to their core, without entities, vague chunks and chunks inside others.
 */
export function chunkOccurrences({ text, tokens, entities, chunks }: Annotation): Occurrence[] {
  const inside = entityAt(tokens.length, entities);
  const cut = chunks.flatMap((chunk) => cutChunk(tokens, chunk));
  const idioms = idiomTokens(tokens);
  // First those around an entity: `NASA chief` remains of `NASA chief Griffin`.
  return outermost(cut.filter((chunk) => !cutsEntity(chunk, inside))).flatMap((chunk) => {
    const value = readable(text, tokens, chunk);
    if (value === undefined || idioms.has(chunk.at ?? chunk.last) || isVague(tokens, chunk, inside)) return [];
    if (isTitle(tokens, chunk) && inside[chunk.last + 1]?.type === "PERSON") return [];
    return [{ value, type: "noun-chunk", tag: chunk.head, first: chunk.first, last: chunk.last, hashtag: false }];
  });
}

/** The chunks that are not inside another: nested ones are one topic. */
export function outermost<Chunk extends NounChunk>(chunks: readonly Chunk[]): Chunk[] {
  const sorted = [...chunks].sort((a, b) => a.first - b.first || b.last - a.last);
  let reached = -1;
  return sorted.filter(({ last }) => {
    if (last <= reached) return false;
    reached = last;
    return true;
  });
}

export function entityAt(length: number, entities: readonly Entity[]): readonly (Entity | undefined)[] {
  const inside = new Array<Entity | undefined>(length).fill(undefined);
  for (const entity of entities) for (let at = entity.first; at <= entity.last; at++) inside[at] = entity;
  return inside;
}

/** A chunk with the same head as an entity only adds adjectives to it, and one that cuts an entity in two misleads. */
export function cutsEntity({ first, last, at }: NounChunk, inside: readonly (Entity | undefined)[]): boolean {
  if (inside[at ?? last] !== undefined) return true;
  return (inside[first]?.first ?? first) < first || (inside[last]?.last ?? last) > last;
}

const LENGTH_MAX = 80;

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
  if (words.some((word) => word === undefined)) return undefined;
  const [word = "", more] = words;
  return more === undefined && saysNothing(word.toLowerCase()) ? undefined : words.join(" ");
}

/** `himmmm` is no noun, and `Maaaan` names nobody. */
function saysNothing(word: string): boolean {
  if (VAGUE.has(word) || TIME.has(word) || FILLERS.has(word)) return true;
  const [tag] = wink().tag([word]);
  return tag !== "NOUN" && tag !== "PROPN";
}

/** Single letters, fragments of words, and interjections: `re`, `haha`, `aww`. */
function isNoise(value: string): boolean {
  if (value.length < 2 || value.length > LENGTH_MAX || !/\p{L}/u.test(value) || /^\p{Ll}{2}$/u.test(value)) return true;
  if (/^(?:half|quarter|(?:one|two|three|four)-?(?:quarters?|thirds?|fifths?|halves))$/i.test(value)) return true;
  // Counts and numbers of order: `x2`, `7-th`.
  if (/^(?:x\d+|\d+x|\d+-?(?:st|nd|rd|th))$/i.test(value)) return true;
  // Abbreviations without vowels that no dictionary has: `nvr`, `smfh`.
  if (/^[bcdfghjklmnpqrstvwxz]{2,5}$/.test(value) && !wink().knows(value)) return true;
  return /^(?:(?:ha|he|hi|ja|lo|ah){2,}h?|a+w+|e+w+w*|o+h+|u+g+h+|h+m+|m+h*m+|a+r*g+h+|x+o+(?:x+o*)*|y+a+y+|l+m+f*a+o+)$/i.test(
    value,
  );
}

/** Whether a chunk does not say what it is about: `last night`, `good thing`, `two people`, `no cap`, `of course`. */
function isVague(tokens: readonly Token[], chunk: NounChunk, inside: readonly (Entity | undefined)[]): boolean {
  if (isFiller(tokens, chunk) || isGibberish(tokens, chunk)) return true;
  const { first, last, at } = chunk;
  if (first === last && (isQuality(tokens[last]) || isPlaceholder(tokens, last))) return true;
  if (first === last && (isPartitive(tokens, last) || isFigurative(tokens, last))) return true;
  const head = tokens[at ?? last]?.lower ?? "";
  // Beside a vague head, a name that is a topic itself is not enough: `the Briana thing`.
  const isNamed = (at: number): boolean => (VAGUE.has(head) || TIME.has(head)) && inside[at] !== undefined;
  const [modifier, noun] = [tokens[last - 1], tokens[last]];
  if (first < last && modifier && noun && isOneThing(modifier, noun)) return false;
  return tokens
    .slice(first, last + 1)
    .every((token, at) => token.kind !== "word" || !isTopic(token, head) || isNamed(first + at));
}

/** Whether a word makes its chunk a topic. Beside a vague head, only some are enough. */
function isTopic({ lower, pos }: Token, head: string): boolean {
  if (VAGUE.has(lower) || TIME.has(lower) || WEAK.has(lower) || OPENERS.has(lower)) return false;
  if (!VAGUE.has(head) && !TIME.has(head)) return true;
  // A noun is, `coffee time`; an adjective only for people and places, `young people`.
  return pos === "NOUN" || pos === "PROPN" || (pos === "ADJ" && BEARERS.has(head));
}

/** Several words in small letters that no dictionary and no list has: `thuurr durrty`. */
function isGibberish(tokens: readonly Token[], { first, last, head }: NounChunk): boolean {
  if (head !== "PROPN" || first === last) return false;
  return tokens
    .slice(first, last + 1)
    .every(({ text, lower, known }) => text === lower && !known && listsOf(lower) === 0);
}

const DETERMINERS = new Set("the a an my your his her its our their this that these those".split(" "));

/** Nouns in -ness that name more than a quality. */
const NESSES: ReadonlySet<string> = new Set(
  (
    "business illness sickness wellness fitness happiness unhappiness loneliness homelessness darkness witness wilderness harness awareness mindfulness " +
    "consciousness kindness forgiveness blindness deafness highness governess lioness fairness tiredness sleeplessness drunkenness"
  ).split(" "),
);

/** `freshness`, `awkwardness`: how something is, and not what. */
function isQuality(token: Token | undefined): boolean {
  return token !== undefined && /\p{L}{2}ness$/u.test(token.lower) && !NESSES.has(token.lower);
}

/** `[RELIGION]` stands for what was taken out of a text. */
function isPlaceholder(tokens: readonly Token[], at: number): boolean {
  return tokens[at - 1]?.text === "[" && tokens[at + 1]?.text === "]" && /^\p{Lu}+$/u.test(tokens[at]?.text ?? "");
}

/** `cap` in `no cap` and `that's cap`: alone, without the article or possessor of a noun. */
function isFiller(tokens: readonly Token[], { first, last }: NounChunk): boolean {
  if (first < last || !FILLERS.has(tokens[first]?.lower ?? "")) return false;
  const before = tokens[first - 1];
  return before?.pos !== "PART" && before?.pos !== "ADJ" && !DETERMINERS.has(before?.lower ?? "");
}

/** `President` before the name of the person. */
function isTitle(tokens: readonly Token[], { first, last }: NounChunk): boolean {
  return tokens
    .slice(first, last + 1)
    .every(({ lower }) => TITLE_WORDS.has(lower) || (listsOf(lower) & bitOf("titles")) !== 0);
}

const TITLE_WORDS: ReadonlySet<string> = new Set("prime vice deputy foreign former minister".split(" "));
