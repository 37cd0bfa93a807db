import type { Activity } from "./activities.js";

/** Evidence for an activity with its strength, 0 to 1; not calibrated yet. */
export interface Evidence {
  activity: Activity;
  strength: number;
}

/** A list of one piece of evidence, as strong as its weakest part; empty if the rule does not hold. */
export const given = (activity: Activity, holds: boolean, ...sure: readonly number[]): Evidence[] =>
  holds ? [{ activity, strength: Math.min(1, ...sure) }] : [];

/** Scores of points are about .8 where the network is certain. */
export const fromScore = (score: number): number => Math.min(1, score / 0.7);
