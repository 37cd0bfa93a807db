import { distinctDetections } from "../../../vision/distinct-detections.js";
import type { Detection } from "../../../visual.js";

/** The probable ones of what may be in a picture, the most probable first, with 4 decimals. */
export function detectionsOf(probabilities: ReadonlyMap<string, number>, threshold: number): Detection[] {
  const likely = [...probabilities].filter(([, prob]) => prob >= threshold);
  return distinctDetections(likely.map(([value, prob]) => ({ value, prob })));
}

/** Exponentials of numbers as parts of their sum. */
export function softmax(values: readonly number[]): number[] {
  const most = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
