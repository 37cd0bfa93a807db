import type { Activity } from "./activities.js";

/** An activity that something speaks for, and how strongly, 0 to 1; not calibrated yet. */
export interface Evidence {
  activity: Activity;
  strength: number;
}

/** The evidence as a list of one, as strong as its weakest part; none when the rule does not hold. */
export const given = (activity: Activity, holds: boolean, ...sure: readonly number[]): Evidence[] =>
  holds ? [{ activity, strength: Math.min(1, ...sure) }] : [];

/** Scores of points are some .8 where the network is certain. */
export const fromScore = (score: number): number => Math.min(1, score / 0.7);
