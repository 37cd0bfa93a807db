import type { Detection } from "../visual.js";

/** Each value once, with its highest probability to 4 decimals; sorted by probability, then by name. */
export const distinctDetections = (detections: Iterable<Detection>): Detection[] => {
  const best = new Map<string, number>();
  for (const { value, prob } of detections) best.set(value, Math.max(best.get(value) ?? 0, prob));
  return [...best]
    .map(([value, prob]) => ({ value, prob: Math.round(prob * 1e4) / 1e4 }))
    .sort((a, b) => b.prob - a.prob || (a.value < b.value ? -1 : 1));
};
