import { type LanguageWeights, packEntry } from "@hourglass/analysis/language";
import type { FittedLanguages } from "./fit.js";
import type { LanguageMatrix } from "./matrix.js";

/**
 * A few huge weights would waste the range of int8, so the scale is set by this quantile and larger weights are
 * clipped.
 */
const RANGE_QUANTILE = 0.9998;

/**
 * Rounds weights to int8 and drops those below `weightMin`, and n-grams without any left: small weights cost time and
 * space without changing decisions.
 */
export const packLanguages = (
  { buckets }: LanguageMatrix,
  { columnWeights, biases }: FittedLanguages,
  weightMin: number,
): LanguageWeights => {
  const labels = biases.length;
  const rows = Array.from(buckets, (_, column) =>
    prune(columnWeights.slice(column * labels, (column + 1) * labels), weightMin),
  );
  const scale = scaleOf(rows);
  const kept: number[] = [];
  const starts: number[] = [0];
  const entries: number[] = [];
  rows.forEach((row, column) => {
    if (row.every((weight) => weight === 0)) return;
    row.forEach((weight, label) => {
      if (weight === 0) return;
      entries.push(packEntry(label, Math.max(-127, Math.min(127, Math.round(weight / scale)))));
    });
    kept.push(buckets[column] ?? 0);
    starts.push(entries.length);
  });
  return {
    buckets: Uint32Array.from(kept),
    starts: Uint32Array.from(starts),
    entries: Uint16Array.from(entries),
    scale,
    biases,
  };
};

const prune = (row: Float32Array, weightMin: number): Float32Array =>
  row.map((weight) => (Math.abs(weight) < weightMin ? 0 : weight));

const scaleOf = (rows: readonly Float32Array[]): number => {
  const sizes = Float32Array.from(
    rows.flatMap((row) => [...row.filter((weight) => weight !== 0)]),
    Math.abs,
  ).sort();
  return (sizes[Math.floor((sizes.length - 1) * RANGE_QUANTILE)] ?? 127) / 127;
};
