import type { Classification } from "../types.js";

/** The results of a text on which it depends whether it shows an emotion; absent: the analysis failed. */
export interface FeelingResults {
  /** Of sentiment-simple. */
  sentiment?: Classification | undefined;
  /** Of sentiment-real, whose labels lack a neutral one: every text gets an emotion. */
  emotion?: Classification | undefined;
}

/** Chosen on the held-out rows of `services/training/written`: `npm run evaluate -- emotion` prints what follows from it. */
const EVIDENCE_MIN = 0.08;

/**
 * Whether a text gives evidence of the emotion that sentiment-real found: sentiment-simple takes it for positive or negative,
 * and both are likely enough. Nothing is evident if one of them is absent.
 */
export function showsEmotion({ sentiment, emotion }: FeelingResults): boolean {
  if (sentiment === undefined || emotion === undefined || sentiment.value === "neutral") return false;
  return sentiment.prob * emotion.prob >= EVIDENCE_MIN;
}
