import type { NgramReader } from "./ngram-reader.js";
import { buildTable, FULL, LENGTH_BITS, LENGTH_MASK, SPREAD } from "./weights/row-table.js";
import { labelOf, type LanguageWeights, weightOf } from "./weights/weights.js";

/** The scores of the reader's current text. */
export interface LanguageScores {
  /** One per label. */
  readonly scores: Float64Array;
  /** Number of the text's n-grams that the model knows. */
  readonly known: number;
}

export type LanguageScorer = (reader: NgramReader) => LanguageScores;

/**
 * Builds the scorer of a model: the weights of known n-grams, summed per label and divided by the square root of their
 * number, so that certainty grows with the length of the text, but less than proportionally, because n-grams overlap.
 */
export const createLanguageScorer = (weights: LanguageWeights): LanguageScorer => {
  const { entries, scale, biases } = weights;
  const labels = biases.length;
  const { table, fullRows, shift } = buildTable(weights);
  const mask = table.length / 2 - 1;
  const sums = new Int32Array(256);
  return ({ buckets, size }) => {
    sums.fill(0);
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
    const share = scale / Math.sqrt(Math.max(1, known));
    const scores = new Float64Array(labels);
    for (let label = 0; label < labels; label++) {
      scores[label] = (biases[label] ?? 0) + (sums[label] ?? 0) * share;
    }
    return { scores, known };
  };
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
