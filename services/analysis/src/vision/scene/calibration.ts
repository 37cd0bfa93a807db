import type { Activity } from "./activities.js";

/** Less probable activities are not reported. */
export const PROB_MIN = 0.3;

/**
 * The probability of an activity with evidence of this strength, 0 to 1. Parts that fit together support each other, so
 * a weak part counts for less than it would alone.
 */
export const calibrated = (activity: Activity, strength: number): number =>
  (RELIABILITY[activity] ?? RELIABILITY_OF_OTHERS) * strength ** WEIGHT;

const WEIGHT = 0.4;

/** The share of correct findings of a rule, (right + 1) / (found + 2), on the photos described in docs/models.md. */
const RELIABILITY: Readonly<Partial<Record<Activity, number>>> = { standing: 0.89, smiling: 0.86 };

/** Of all other rules together, which had too few findings there to be separated: 23 of 29. */
const RELIABILITY_OF_OTHERS = 0.77;
