import { BUCKETS, isDense } from "../../text/ngrams/buckets.js";
import type { Features } from "../../text/ngrams/features.js";
import type { Weights } from "./linear-model.js";

/** Scores each label; a closure over lookup tables that are built once. */
export type Scorer = (features: Features) => Float64Array;

/**
 * Odd, so that multiplication permutes the table; near 2^32 divided by the golden ratio, so that neighbors are spread
 * apart.
 */
const SPREAD = 0x9e3779b1;

/** The row of a bucket, or -1 if the model does not use it. */
type RowIndex = (bucket: number) => number;

/** Builds the index of a model's rows. */
const indexRows = ({ buckets }: Weights): RowIndex => {
  const { keys, slots, shift } = buildTable(buckets);
  const mask = keys.length - 1;
  return (bucket) => {
    let slot = Math.imul(bucket, SPREAD) >>> shift;
    while (slots[slot] !== 0 && keys[slot] !== bucket) slot = (slot + 1) & mask;
    return (slots[slot] ?? 0) - 1;
  };
};

/** Builds the scorer of a model: the sum of the weights of a text's features, per label. */
export const createScorer = (weights: Weights): Scorer => {
  const rowOf = indexRows(weights);
  const { rows, scales, dense } = weights;
  const labels = scales.length;
  return (features) => {
    const scores = new Float64Array(labels);
    const exact = new Float64Array(labels);
    for (let i = 0; i < features.buckets.length; i++) {
      const bucket = features.buckets[i] ?? 0;
      const value = features.values[i] ?? 0;
      if (isDense(bucket)) {
        addRow(exact, dense, bucket - BUCKETS, value);
      } else {
        const row = rowOf(bucket);
        if (row >= 0) addRow(scores, rows, row, value);
      }
    }
    for (let label = 0; label < labels; label++) {
      scores[label] = (scores[label] ?? 0) * (scales[label] ?? 0) + (exact[label] ?? 0);
    }
    return scores;
  };
};

const addRow = (scores: Float64Array, rows: Int8Array | Float32Array, row: number, value: number): void => {
  const start = row * scores.length;
  for (let label = 0; label < scores.length; label++) {
    scores[label] = (scores[label] ?? 0) + (rows[start + label] ?? 0) * value;
  }
};

/**
 * Open addressing with a load factor of at most one half: some 80,000 rows fit into the cache, whatever the bucket
 * space.
 */
const buildTable = (buckets: Uint32Array): { keys: Uint32Array; slots: Uint32Array; shift: number } => {
  const bits = Math.max(4, Math.ceil(Math.log2(buckets.length + 1)) + 1);
  const size = 2 ** bits;
  const shift = 32 - bits;
  const keys = new Uint32Array(size);
  const slots = new Uint32Array(size);
  buckets.forEach((bucket, row) => {
    let slot = Math.imul(bucket, SPREAD) >>> shift;
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    keys[slot] = bucket;
    slots[slot] = row + 1;
  });
  return { keys, slots, shift };
};
