import { argmax } from "../argmax.js";
import { labelOf, type LanguageModel, type LanguageWeights, weightOf } from "./language-model.js";
import { NgramReader } from "./ngram-reader.js";

/** The model's guess for a text, before the decision whether it is certain enough to be reported. */
export interface LanguageGuess {
  /** The likeliest of the model's languages. */
  readonly code: string;
  /** Calibrated. */
  readonly prob: number;
  /** The lowest probability over the readings of the text; less than `prob` if elongation allows two readings. */
  readonly least: number;
  /** Of all labels, in their order, before calibration. */
  readonly scores: Float64Array;
  /** Number of letters that the guess is based on. */
  readonly letters: number;
  /** Share of the text's n-grams that the model knows, 0 to 1. */
  readonly familiar: number;
}

/** A text's n-grams as written and, if letters are elongated, also with each of those written once. */
export interface Readings {
  readonly written: NgramSums;
  readonly shortened: NgramSums | undefined;
}

/** Reads texts prepared by `clean`, and guesses their language from that. */
export interface Guesser {
  readonly read: (text: string) => Readings;
  readonly guess: (readings: Readings) => LanguageGuess;
}

/**
 * Wraps a model. The n-grams keep two of an elongated letter, which several languages write (Somali, Finnish) and which
 * writers usually mean as one: such a text is read both ways, and the scores are averaged.
 */
export const createGuesser = ({ card, weights }: LanguageModel): Guesser => {
  const reader = new NgramReader();
  const count = createNgramCounter(weights);
  const sumsOf = (text: string): NgramSums => {
    reader.read(text);
    return count(reader);
  };
  return {
    read: (text) => ({
      written: sumsOf(text),
      shortened: ELONGATED.test(text) ? sumsOf(text.replace(EACH_ELONGATED, "$1")) : undefined,
    }),
    guess: ({ written, shortened }) => {
      const readings = [written, ...(shortened === undefined ? [] : [shortened])].map((sums) =>
        scoresOf(sums, weights),
      );
      const scores = meanOf(readings);
      const best = argmax(scores);
      const probabilityIn = (of: Float64Array): number => probabilityOf(of, best, card.temperature);
      const { letters, size, known } = written;
      return {
        code: card.labels[best] ?? "",
        prob: probabilityIn(scores),
        least: Math.min(...readings.map(probabilityIn)),
        scores,
        letters,
        familiar: size === 0 ? 0 : known / size,
      };
    },
  };
};

/** The reading of a text from those of its two parts; it must be cut between two words. */
export const joinReadings = (a: Readings, b: Readings): Readings => ({
  written: addSums(a.written, b.written),
  shortened:
    a.shortened === undefined && b.shortened === undefined
      ? undefined
      : addSums(a.shortened ?? a.written, b.shortened ?? b.written),
});

const ELONGATED = /(\p{L})\1\1/u;
const EACH_ELONGATED = /(\p{L})\1{2,}/gu;

const meanOf = ([first = new Float64Array(), second]: readonly Float64Array[]): Float64Array =>
  second === undefined ? first : first.map((score, i) => (score + (second[i] ?? 0)) / 2);

/** Softmax probability of one label. */
const probabilityOf = (scores: Float64Array, label: number, temperature: number): number => {
  const highest = scores[label] ?? 0;
  let sum = 0;
  for (const score of scores) sum += Math.exp((score - highest) / temperature);
  return 1 / sum;
};

/** What the n-grams of a text say. If a text is cut between two words, the sums of its parts add up to its own. */
interface NgramSums {
  /** The weights of the known n-grams, one sum per label. */
  readonly sums: Int32Array;
  /** Number of the text's n-grams that the model knows. */
  readonly known: number;
  /** Number of all its n-grams. */
  readonly size: number;
  readonly letters: number;
}

/** Sums up the reader's current text. */
type NgramCounter = (reader: NgramReader) => NgramSums;

/** The sums of two parts of a text as one. */
const addSums = (a: NgramSums, b: NgramSums): NgramSums => ({
  sums: a.sums.map((sum, label) => sum + (b.sums[label] ?? 0)),
  known: a.known + b.known,
  size: a.size + b.size,
  letters: a.letters + b.letters,
});

/** Builds the counter of a model. */
export const createNgramCounter = (weights: LanguageWeights): NgramCounter => {
  const { entries, biases } = weights;
  const labels = biases.length;
  const { table, fullRows, shift } = buildTable(weights);
  const mask = table.length / 2 - 1;
  return ({ buckets, size, letters }) => {
    const sums = new Int32Array(labels);
    let known = 0;
    for (let i = 0; i < size; i++) {
      const bucket = buckets[i] ?? 0;
      let slot = Math.imul(bucket, SPREAD) >>> shift;
      let row = table[2 * slot + 1] ?? 0;
      while (row !== 0 && table[2 * slot] !== bucket) {
        slot = (slot + 1) & mask;
        row = table[2 * slot + 1] ?? 0;
      }
      if (row === 0) continue;
      known++;
      const start = row >>> LENGTH_BITS;
      if ((row & LENGTH_MASK) === FULL) addFull(sums, fullRows, start, labels);
      else addEntries(sums, entries, start, start + (row & LENGTH_MASK));
    }
    return { sums, known, size, letters };
  };
};

/**
 * One score per label: the sums divided by the square root of the number of known n-grams, so that certainty grows with
 * the length of the text, but less than proportionally, because n-grams overlap.
 */
export const scoresOf = ({ sums, known }: NgramSums, { scale, biases }: LanguageWeights): Float64Array => {
  const share = scale / Math.sqrt(Math.max(1, known));
  return Float64Array.from(biases, (bias, label) => bias + (sums[label] ?? 0) * share);
};

const addEntries = (sums: Int32Array, entries: Uint16Array, start: number, end: number): void => {
  for (let at = start; at < end; at++) {
    const entry = entries[at] ?? 0;
    const label = labelOf(entry);
    sums[label] = (sums[label] ?? 0) + weightOf(entry);
  }
};

const addFull = (sums: Int32Array, rows: Int8Array, start: number, labels: number): void => {
  for (let label = 0; label < labels; label++) sums[label] = (sums[label] ?? 0) + (rows[start + label] ?? 0);
};

/**
 * Odd, so that multiplication permutes the table; near 2^32 divided by the golden ratio, so that neighbors are spread
 * apart.
 */
const SPREAD = 0x9e3779b1;

/** Position and length of a row share one number. */
const LENGTH_BITS = 8;
const LENGTH_MASK = 2 ** LENGTH_BITS - 1;
/** Instead of the length: the row is stored as a dense row in `fullRows`. */
const FULL = LENGTH_MASK;

/** Rows with more entries than this are faster to add label by label than entry by entry. */
const ENTRIES_MAX = 24;

/** The rows of a model, indexed by bucket. */
interface RowTable {
  /**
   * Open addressing with a load factor of at most one half. Bucket and row (0 is free) are adjacent, so that a lookup
   * costs one cache line: memory latency dominates.
   */
  readonly table: Uint32Array;
  /** The dense rows: one weight per label. */
  readonly fullRows: Int8Array;
  /** A bucket times SPREAD, shifted right by this, is the first slot to probe. */
  readonly shift: number;
}

/** Builds the table of a model's rows. */
const buildTable = ({ buckets, starts, entries, biases }: LanguageWeights): RowTable => {
  const lengthOf = (row: number): number => (starts[row + 1] ?? 0) - (starts[row] ?? 0);
  const bits = Math.max(4, Math.ceil(Math.log2(buckets.length + 1)) + 1);
  const shift = 32 - bits;
  const mask = 2 ** bits - 1;
  const table = new Uint32Array(2 * (mask + 1));
  const fullCount = buckets.reduce((count, _, row) => count + (lengthOf(row) > ENTRIES_MAX ? 1 : 0), 0);
  const fullRows = new Int8Array(fullCount * biases.length);
  let fullSize = 0;
  buckets.forEach((bucket, row) => {
    let slot = Math.imul(bucket, SPREAD) >>> shift;
    while (table[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
    table[2 * slot] = bucket;
    const start = starts[row] ?? 0;
    if (lengthOf(row) <= ENTRIES_MAX) {
      table[2 * slot + 1] = (start << LENGTH_BITS) | lengthOf(row);
      return;
    }
    table[2 * slot + 1] = (fullSize << LENGTH_BITS) | FULL;
    for (const entry of entries.subarray(start, starts[row + 1])) fullRows[fullSize + labelOf(entry)] = weightOf(entry);
    fullSize += biases.length;
  });
  return { table, fullRows, shift };
};
