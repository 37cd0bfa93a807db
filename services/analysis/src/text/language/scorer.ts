import type { NgramReader } from "./ngram-reader.js";
import { buildTable, FULL, LENGTH_BITS, LENGTH_MASK, SPREAD } from "./weights/row-table.js";
import { labelOf, type LanguageWeights, weightOf } from "./weights/weights.js";

/** What the n-grams of a text say. If a text is cut between two words, the sums of its parts add up to its own. */
export interface NgramSums {
  /** The weights of the known n-grams, one sum per label. */
  readonly sums: Int32Array;
  /** Number of the text's n-grams that the model knows. */
  readonly known: number;
  /** Number of all its n-grams. */
  readonly size: number;
  readonly letters: number;
}

/** Sums up the reader's current text. */
export type NgramCounter = (reader: NgramReader) => NgramSums;

/** The sums of two parts of a text as one. */
export const addSums = (a: NgramSums, b: NgramSums): NgramSums => ({
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
