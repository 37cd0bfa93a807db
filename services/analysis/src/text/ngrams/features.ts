import type { TextDocument } from "../../types.js";
import { type AddressFact, addressFacts } from "../addresses/addresses.js";
import { addressBucketOf, bucketOf, BUCKETS, seed, step, stepAll, TRIPLE_BIT } from "./buckets.js";
import { polarity, POLARITY_FEATURES } from "./lexicon.js";
import { EMAIL_FORM, PERSON_FORM, URL_FORM, type Word, words } from "./words.js";

/**
 * Increment whenever the same text may give other features: a model works only with the featurizer it was trained with.
 */
export const FEATURIZER = 2;

/** Names of the surface features, in the order `surface` writes them. */
const SURFACE_FEATURES = [
  "always",
  "negations",
  "capitals",
  "all-capitals",
  "exclamations",
  "questions",
  "elongations",
  "length",
  "urls",
  "people",
  "numbers",
  "long-numbers",
  "money",
  "symbols",
  "ends-with-question",
];

/** Names of the dense features; feature `i` has bucket `BUCKETS + i`. */
export const DENSE_FEATURES: readonly string[] = [...SURFACE_FEATURES, ...POLARITY_FEATURES];

/** A sparse vector: value `i` belongs to bucket `i`. A bucket may occur more than once; its values are summed. */
export interface Features {
  readonly buckets: Uint32Array;
  readonly values: Float32Array;
}

const WORD = seed(1);
const PAIR = seed(2);
const CHARACTERS = seed(3);
const NEGATED = seed(4);
const TRIPLE = seed(5);

/** Marks the border between words in an n-gram. */
const GAP = 0x1f;
const WORD_START = 0x02;
const WORD_END = 0x03;
const TEXT_START = "\u0002";
const TEXT_END = "\u0003";

const CHARACTERS_MIN = 3;
const CHARACTERS_MAX = 5;
/** Character n-grams overlap so much that they would outweigh the words, which are the better evidence. */
const CHARACTERS_SHARE = 0.5;
/** Longer runs of letters (base64, texts without spaces) are read up to this length. */
const WORD_LENGTH_MAX = 40;

const FEATURES = Symbol("n-gram features");

/** The features of a document, computed once and shared by all linear classifiers. */
export const featuresOf = (document: TextDocument): Features => document.once(FEATURES, featurize);

/**
 * Hashed word and character n-grams, polarity and surface features of a text, and what its addresses show; long texts are
 * averaged over pieces.
 */
export const featurize = (text: string): Features => {
  const sink = new Sink();
  const pieces = chunks(text);
  const share = 1 / pieces.length;
  const dense = new Float32Array(DENSE_FEATURES.length);
  for (const piece of pieces) {
    const found = words(piece);
    const { single, pairs, triples } = wordBuckets(found);
    sink.addBlock(single, share);
    sink.addBlock(pairs, share);
    sink.addBlock(triples, share);
    sink.addBlock(characterBuckets(found), share * CHARACTERS_SHARE);
    fillDense(found, dense);
    sink.addDense(dense, share);
    for (const fact of addressFacts(piece)) sink.add(addressBucketOf(fact.name), addressValue(fact) * share);
  }
  return sink.finish();
};

/** The value of the feature of something that an address shows: words of its host are many, and each says little. */
const addressValue = ({ name }: AddressFact): number => (name.startsWith("host ") ? 0.25 : 0.5);

/** Writes the dense features of a piece into `target`. */
const fillDense = (found: readonly Word[], target: Float32Array): void => {
  surface(found, target, 0);
  target.fill(0, SURFACE_FEATURES.length);
  polarity(found, target, SURFACE_FEATURES.length);
};

/** A buffer that grows as blocks of n-grams arrive. */
class Sink {
  readonly #buckets: number[] = [];
  readonly #values: number[] = [];

  /** Adds one kind of n-grams: sublinear counts, scaled to length `share`, so that no kind dominates another. */
  addBlock(buckets: number[], share: number): void {
    const sorted = Uint32Array.from(buckets).sort();
    const start = this.#values.length;
    let squares = 0;
    for (let i = 0; i < sorted.length;) {
      let next = i + 1;
      while (next < sorted.length && sorted[next] === sorted[i]) next++;
      const value = 1 + Math.log(next - i);
      squares += value * value;
      this.#buckets.push(sorted[i] ?? 0);
      this.#values.push(value);
      i = next;
    }
    const scale = share / Math.sqrt(squares || 1);
    for (let i = start; i < this.#values.length; i++) this.#values[i] = (this.#values[i] ?? 0) * scale;
  }

  addDense(dense: Float32Array, share: number): void {
    for (let i = 0; i < dense.length; i++) {
      const value = dense[i] ?? 0;
      if (value !== 0) this.add(BUCKETS + i, value * share);
    }
  }

  add(bucket: number, value: number): void {
    this.#buckets.push(bucket);
    this.#values.push(value);
  }

  finish(): Features {
    return { buckets: Uint32Array.from(this.#buckets), values: Float32Array.from(this.#values) };
  }
}

interface WordBuckets {
  single: number[];
  pairs: number[];
  triples: number[];
}

const isNegatedWord = ({ negated, kind }: Word): boolean => negated && kind === "word";

const wordBuckets = (found: readonly Word[]): WordBuckets => {
  const single: number[] = [];
  const forms = [TEXT_START];
  for (const word of found) {
    const { form } = word;
    single.push(bucketOf(stepAll(WORD, form)));
    if (isNegatedWord(word)) single.push(bucketOf(stepAll(NEGATED, form)));
    forms.push(form);
  }
  forms.push(TEXT_END);
  const pairs: number[] = [];
  const triples: number[] = [];
  for (let i = 1; i < forms.length; i++) {
    const [first = "", second = "", third = ""] = [forms[i - 2], forms[i - 1], forms[i]];
    pairs.push(bucketOf(stepAll(step(stepAll(PAIR, second), GAP), third)));
    if (i < 2) continue;
    const start = step(stepAll(step(stepAll(TRIPLE, first), GAP), second), GAP);
    triples.push(bucketOf(stepAll(start, third)) | TRIPLE_BIT);
  }
  return { single, pairs, triples };
};

const characterBuckets = (found: readonly Word[]): number[] => {
  const buckets: number[] = [];
  for (const { form, kind } of found) if (kind === "word") addCharacters(form, buckets);
  return buckets;
};

/**
 * Every run of 3 to 5 code units of the word with its borders; the hash of a longer run continues that of a shorter
 * one.
 */
const addCharacters = (form: string, buckets: number[]): void => {
  const length = Math.min(form.length, WORD_LENGTH_MAX);
  const unitAt = (i: number): number => (i === 0 ? WORD_START : i > length ? WORD_END : form.charCodeAt(i - 1));
  for (let start = 0; start + CHARACTERS_MIN <= length + 2; start++) {
    let hash = CHARACTERS;
    const end = Math.min(start + CHARACTERS_MAX, length + 2);
    for (let i = start; i < end; i++) {
      hash = step(hash, unitAt(i));
      if (i - start + 1 >= CHARACTERS_MIN) buckets.push(bucketOf(hash));
    }
  }
};

/** Writes counts of conspicuous elements of a text, each scaled to 0 to 1, into `target`, from `offset` on. */
const surface = (found: readonly Word[], target: Float32Array, offset: number): void => {
  const count = (matches: (word: Word) => boolean): number =>
    found.reduce((sum, word) => sum + (matches(word) ? 1 : 0), 0);
  const letters = count(({ kind }) => kind === "word");
  const capitals = count((word) => word.capitals);
  target.set(
    [
      1,
      squeeze(count(({ negated }) => negated)),
      squeeze(capitals),
      letters > 2 && capitals > letters * 0.6 ? 1 : 0,
      squeeze(count(({ form }) => form.startsWith("!") || form === "?!")),
      squeeze(count(({ form }) => form.startsWith("?"))),
      squeeze(count(({ elongated }) => elongated)),
      Math.min(1, Math.log1p(found.length) / 5),
      squeeze(count(({ form }) => form === URL_FORM || form === EMAIL_FORM)),
      squeeze(count(({ form }) => form === PERSON_FORM)),
      squeeze(count(({ form }) => form.startsWith("0"))),
      squeeze(count(({ form }) => form.startsWith("00000"))),
      squeeze(count(({ form }) => form === "£" || form === "$" || form === "€")),
      squeeze(count(({ kind, form }) => kind === "mark" && form.length === 1)),
      found.at(-1)?.form.startsWith("?") === true ? 1 : 0,
    ],
    offset,
  );
};

const squeeze = (count: number): number => count / (count + 2);

/** Texts up to this length are read as one piece, like the posts of the training data. */
const WHOLE_MAX = 600;
/** Longer texts are read in pieces of about this length, split at the end of a sentence if possible. */
const CHUNK_MAX = 300;
const SENTENCE_END = /[.!?\n][\s"')\]]/g;

/**
 * Splits a long text into pieces of the length of a post. A bag of 4,000 words resembles no post of the training data,
 * and its many weak signals would add up to certainty; the average over pieces stays on the scale of the calibration.
 */
export const chunks = (text: string): string[] => {
  if (text.length <= WHOLE_MAX) return [text];
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.length - start <= CHUNK_MAX ? text.length : cutAfter(text, start);
    const piece = text.slice(start, end);
    if (piece.trim() !== "") pieces.push(piece);
    start = end;
  }
  return pieces.length > 0 ? pieces : [""];
};

const cutAfter = (text: string, start: number): number => {
  const window = text.slice(start, start + CHUNK_MAX);
  let cut = 0;
  for (const match of window.matchAll(SENTENCE_END)) cut = match.index + 1;
  if (cut < CHUNK_MAX / 3) cut = window.lastIndexOf(" ");
  if (cut >= CHUNK_MAX / 3) return start + cut;
  const end = start + CHUNK_MAX;
  // Never splits a surrogate pair.
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1)) ? end - 1 : end;
};
