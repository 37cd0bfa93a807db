import type { Body } from "../../../vision/postures.js";

/** One person's body over time, in order; samples are a few sixths of a second apart. */
export type Track = readonly { atMs: number; body: Body }[];

/** An activity that takes time, and when it was seen, in milliseconds. */
export interface Movement {
  activity: "doing squats" | "doing jumping jacks" | "waving";
  /** 0 to 1; not calibrated yet. */
  strength: number;
  fromMs: number;
  toMs: number;
}

/** The probability that a track shows a person, 0 to 1. */
export const sureOf = (track: Track): number => track[0]?.body.pose.prob ?? 0;

export const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Whether most gaps between these samples are at most `gapMaxMs`, so that no longer movement was missed. */
export const isDense = (samples: readonly { atMs: number }[], gapMaxMs: number): boolean => {
  const gaps = samples.slice(1).map(({ atMs }, i) => atMs - samples[i]!.atMs);
  return gaps.length > 0 && gaps.filter((gap) => gap <= gapMaxMs).length * 2 > gaps.length;
};
