import type { Activity } from "./activities.js";

/** What is less probable is not told. */
export const PROB_MIN = 0.3;

/**
 * How probable an activity is for which evidence of this strength, 0 to 1, was found. That parts fit together speaks for
 * each, so a weak part counts for less than it would alone.
 */
export const calibrated = (activity: Activity, strength: number): number =>
  (RELIABILITY[activity] ?? RELIABILITY_OF_OTHERS) * strength ** WEIGHT;

const WEIGHT = 0.4;

/** The share of a rule's findings that is right, (right + 1) / (found + 2), on the photos described in docs/models.md. */
const RELIABILITY: Readonly<Partial<Record<Activity, number>>> = { standing: 0.89, smiling: 0.86 };

/** Of all other rules together, which found too little there to be told apart: 23 of 29. */
const RELIABILITY_OF_OTHERS = 0.77;
