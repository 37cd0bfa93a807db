import type { Weights } from "@hourglass/analysis/linear";
import type { Fitted } from "./fit.js";
import type { Matrix } from "./matrix.js";

/**
 * A few huge weights would waste the range of int8, so the scale is set by this quantile and larger weights are
 * clipped.
 */
const RANGE_QUANTILE = 0.9998;

/** Rounds weights to int8 and drops rows without information about any label. `rowsMax` limits the size of the file. */
export const quantise = (matrix: Matrix, { columnWeights, labelCount }: Fitted, rowsMax: number): Weights => {
  const ngrams = matrix.buckets.length;
  centre(columnWeights, labelCount);
  const kept = strongest(columnWeights, ngrams, labelCount, rowsMax);
  const scales = Float32Array.from({ length: labelCount }, (_, label) => {
    const sizes = Float32Array.from(kept, (column) => Math.abs(columnWeights[column * labelCount + label] ?? 0)).sort();
    const largest = sizes[Math.floor((sizes.length - 1) * RANGE_QUANTILE)] ?? 0;
    return largest > 0 ? largest / 127 : 1;
  });
  const rows = new Int8Array(kept.length * labelCount);
  kept.forEach((column, row) => {
    for (let label = 0; label < labelCount; label++) {
      const step = Math.round((columnWeights[column * labelCount + label] ?? 0) / (scales[label] ?? 1));
      rows[row * labelCount + label] = Math.max(-127, Math.min(127, step));
    }
  });
  return {
    buckets: Uint32Array.from(kept, (column) => matrix.buckets[column] ?? 0),
    rows,
    scales,
    dense: columnWeights.slice(ngrams * labelCount),
  };
};

/** Adding a constant to a row changes no probability; rows with mean zero have the smallest values to round. */
const centre = (weights: Float32Array, labelCount: number): void => {
  for (let start = 0; start < weights.length; start += labelCount) {
    const row = weights.subarray(start, start + labelCount);
    const mean = row.reduce((a, b) => a + b, 0) / labelCount;
    for (let i = 0; i < labelCount; i++) row[i] = (row[i] ?? 0) - mean;
  }
};

/** Columns with the largest weights, in ascending order. */
const strongest = (weights: Float32Array, ngrams: number, labelCount: number, rowsMax: number): Uint32Array => {
  const strength = Float32Array.from({ length: ngrams }, (_, column) =>
    weights
      .subarray(column * labelCount, (column + 1) * labelCount)
      .reduce((most, w) => Math.max(most, Math.abs(w)), 0),
  );
  const columns = Uint32Array.from(strength.keys());
  columns.sort((a, b) => (strength[b] ?? 0) - (strength[a] ?? 0));
  return columns.subarray(0, rowsMax).sort();
};
