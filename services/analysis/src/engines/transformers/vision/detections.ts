import { distinctDetections } from "../../../vision/detections.js";
import type { Detection } from "../../../types.js";

/** The candidates with at least the threshold's probability, the most probable first, to 4 decimals. */
export function detectionsOf(probabilities: ReadonlyMap<string, number>, threshold: number): Detection[] {
  const likely = [...probabilities].filter(([, prob]) => prob >= threshold);
  return distinctDetections(likely.map(([value, prob]) => ({ value, prob })));
}

/** Exponentials of the values, divided by their sum. */
export function softmax(values: readonly number[]): number[] {
  const most = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
