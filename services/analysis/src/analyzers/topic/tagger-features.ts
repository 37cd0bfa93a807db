import type { Token } from "../../text/tokens.js";
import { findHits, type GazetteerHit } from "../../text/gazetteers.js";

/** Increment whenever the features change: weights trained with other features are useless. */
export const FEATURE_VERSION = 1;
/** Features are numbers less than this. */
export const FEATURE_BUCKETS = 1 << 18;

/** The hashed features of each token; those of the word itself come first, so that training can leave them out. */
export interface TokenFeatures {
  readonly lexical: Uint32Array;
  readonly general: Uint32Array;
}

/** Computes the features of a text for the entity tagger. */
export function featuresOf(tokens: readonly Token[]): TokenFeatures[] {
  const words = describe(tokens);
  return tokens.map((_, at) => ({ lexical: lexical(words, at), general: general(words, at) }));
}

/** The inputs of features as numbers, one entry per token. */
interface Words {
  length: number;
  lower: Int32Array;
  shape: Int32Array;
  pos: Int32Array;
  affixes: Int32Array[];
  /** Word lists, position in the entry and case of the hit. */
  lists: Int32Array;
  bits: Int32Array;
  /** Capitalization, dictionary and position in the sentence, a few bits each. */
  signs: Int32Array;
  /** How the text as a whole is capitalized. */
  style: number;
}

function describe(tokens: readonly Token[]): Words {
  const hits = findHits(tokens);
  const lists = new Int32Array(tokens.length);
  const bits = new Int32Array(tokens.length);
  for (const hit of hits) markHit(tokens, hit, lists, bits);
  return {
    length: tokens.length,
    lower: Int32Array.from(tokens, lowerOf),
    shape: Int32Array.from(tokens, (token) => hashText(shapeOf(token.text))),
    pos: Int32Array.from(tokens, (token) => hashText(token.pos)),
    affixes: tokens.map(affixesOf),
    lists,
    bits,
    signs: Int32Array.from(tokens, signsOf),
    style: styleOf(tokens),
  };
}

function markHit(tokens: readonly Token[], hit: GazetteerHit, lists: Int32Array, bits: Int32Array): void {
  const capital = /^\p{Lu}/u.test(tokens[hit.first]?.text ?? "") ? 1 : 0;
  for (let at = hit.first; at <= hit.last; at++) {
    const place = (at === hit.first ? 1 : 0) + (at === hit.last ? 2 : 0);
    lists[at] = hash(hit.lists, place, capital);
    bits[at] = hit.lists;
  }
}

function lowerOf(token: Token): number {
  switch (token.kind) {
    case "word":
      return hashText(token.lower);
    case "number":
      return hashText(token.lower.replace(/\d/g, "0"));
    case "punctuation":
      return hashText(token.text);
    default:
      return hashText(token.kind);
  }
}

/** `McDonald's` → `XxXx'x`: runs of a class shortened to two. */
export function shapeOf(text: string): string {
  return text
    .slice(0, 24)
    .replace(/\p{Lu}/gu, "X")
    .replace(/[\p{Ll}\p{Lo}]/gu, "x")
    .replace(/\p{N}/gu, "0")
    .replace(/(.)\1{2,}/gu, "$1$1");
}

function affixesOf(token: Token): Int32Array {
  if (token.kind !== "word") return new Int32Array(0);
  const word = token.lower;
  const values: number[] = [];
  for (let length = 1; length <= 4 && length < word.length; length++) {
    values.push(hash(1, length, hashText(word.slice(0, length))), hash(2, length, hashText(word.slice(-length))));
  }
  return Int32Array.from(values);
}

function signsOf(token: Token): number {
  const letters = token.text;
  const upper = /^\p{Lu}/u.test(letters);
  const all = upper && letters.length > 1 && letters === letters.toUpperCase();
  const kase = all ? 3 : upper ? 2 : /\p{Lu}/u.test(letters) ? 1 : 0;
  return kase | (token.known ? 4 : 0) | (token.initial ? 8 : 0);
}

/** 0 no capitals at all, 1 usual, 2 most words capitalized, 3 all capitals. */
function styleOf(tokens: readonly Token[]): number {
  let words = 0;
  let upper = 0;
  let all = 0;
  for (const { text, kind } of tokens) {
    if (kind !== "word" || text.length < 2) continue;
    words++;
    if (/^\p{Lu}/u.test(text)) upper++;
    if (text === text.toUpperCase()) all++;
  }
  if (upper === 0) return 0;
  if (all > words * 0.6) return 3;
  return upper > words * 0.6 ? 2 : 1;
}

const EDGE = 7919;

function at(values: Int32Array, index: number): number {
  return values[index] ?? EDGE;
}

function lexical({ lower, affixes }: Words, i: number): Uint32Array {
  const word = at(lower, i);
  const own = affixes[i] ?? new Int32Array(0);
  const found = new Uint32Array(3 + own.length);
  found[0] = bucket(10, word, 0);
  found[1] = bucket(11, at(lower, i - 1), word);
  found[2] = bucket(12, word, at(lower, i + 1));
  own.forEach((affix, index) => (found[3 + index] = bucket(13, affix, 0)));
  return found;
}

function general(words: Words, i: number): Uint32Array {
  const { lower, shape, pos, lists, signs, style } = words;
  const sign = at(signs, i);
  const before = at(signs, i - 1);
  const after = at(signs, i + 1);
  const found = [
    bucket(20, 0, 0),
    bucket(21, at(lower, i - 1), 0),
    bucket(22, at(lower, i + 1), 0),
    bucket(23, at(lower, i - 2), 0),
    bucket(24, at(lower, i + 2), 0),
    bucket(25, at(lower, i - 2), at(lower, i - 1)),
    bucket(26, at(lower, i + 1), at(lower, i + 2)),
    bucket(27, at(shape, i), 0),
    bucket(28, at(shape, i), style),
    bucket(29, at(shape, i - 1), at(shape, i)),
    bucket(30, at(shape, i), at(shape, i + 1)),
    bucket(31, at(pos, i), 0),
    bucket(32, at(pos, i - 1), at(pos, i)),
    bucket(33, at(pos, i), at(pos, i + 1)),
    bucket(34, hash(at(pos, i - 1), at(pos, i), at(pos, i + 1)), 0),
    bucket(35, sign, style),
    bucket(36, hash(before, sign, after), style),
    bucket(37, sign, at(lower, i - 1)),
    bucket(38, sign, at(lower, i + 1)),
    bucket(39, hash(sign, at(pos, i - 1), at(pos, i + 1)), 0),
  ];
  addLists(found, words, i);
  if (at(lists, i) !== 0 && at(lists, i) !== EDGE) {
    found.push(
      bucket(40, at(lists, i), sign),
      bucket(41, at(lists, i), style),
      bucket(42, at(lists, i), at(lower, i - 1)),
    );
  }
  return Uint32Array.from(found);
}

/**
 * Adds a separate feature for each list that contains the token or a neighbor: phrases on several lists then train the
 * weights of each.
 */
function addLists(found: number[], { bits, signs }: Words, i: number): void {
  for (let offset = -1; offset <= 1; offset++) {
    let rest = bits[i + offset] ?? 0;
    const sign = at(signs, i + offset) & 3;
    while (rest !== 0) {
      const lowest = rest & -rest;
      found.push(bucket(50 + offset, lowest, sign));
      rest ^= lowest;
    }
  }
}

function bucket(template: number, a: number, b: number): number {
  return hash(template, a, b) >>> 14;
}

function hash(a: number, b: number, c: number): number {
  let mixed = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13) ^ b, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 16) ^ c, 0x27d4eb2f);
  return mixed ^ (mixed >>> 15);
}

function hashText(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value | 0;
}
