import type { Detection } from "../visual.js";

/** The probable ones of what may be in a picture, the most probable first, with 4 decimals. */
export function detectionsOf(probabilities: ReadonlyMap<string, number>, threshold: number): Detection[] {
  return [...probabilities]
    .filter(([, prob]) => prob >= threshold)
    .map(([value, prob]) => ({ value, prob: Math.round(prob * 1e4) / 1e4 }))
    .sort((a, b) => b.prob - a.prob || (a.value < b.value ? -1 : 1));
}

/** Exponentials of numbers as parts of their sum. */
export function softmax(values: readonly number[]): number[] {
  const most = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
