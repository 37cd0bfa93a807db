import { labelOf, type LanguageWeights, weightOf } from "./weights.js";

/**
 * Odd, so that multiplication permutes the table; near 2^32 divided by the golden ratio, so that neighbours are spread
 * apart.
 */
export const SPREAD = 0x9e3779b1;

/** Position and length of a row share one number. */
export const LENGTH_BITS = 8;
export const LENGTH_MASK = 2 ** LENGTH_BITS - 1;
/** Instead of the length: the row is stored as a dense row in `fullRows`. */
export const FULL = LENGTH_MASK;

/** Rows with more entries than this are faster to add label by label than entry by entry. */
const ENTRIES_MAX = 24;

/** The rows of a model, indexed by bucket. */
export interface RowTable {
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
export const buildTable = ({ buckets, starts, entries, biases }: LanguageWeights): RowTable => {
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
