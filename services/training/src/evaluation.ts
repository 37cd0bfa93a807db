import type { Judgement } from "./metrics.js";

/** One figure of an evaluation. `stated` is the figure the model card promises; speed is reported, never promised. */
export interface Metric {
  name: string;
  value: number;
  stated?: number;
  /** What it must reach whatever the card says, without allowance for noise. */
  limit?: number;
  /** Which direction is an improvement; `higher` when left out. */
  better?: "higher" | "lower";
}

/** How one method does at one analysis on the development data: a row group of the table `npm run evaluate` prints. */
export interface Evaluation {
  analysis: string;
  method: string;
  metrics: Metric[];
  /** Of a classifier: what its calibration plot is drawn from. */
  judgements?: readonly Judgement[];
}

const TOLERANCE = 0.005;

/** Whether a figure is beyond its limit, or worse than the one the model card states by more than measuring noise. */
export const fallsShort = ({ value, stated, limit, better }: Metric): boolean => {
  const isWorse = (than: number, allowance: number): boolean =>
    better === "lower" ? value > than + allowance : value < than - allowance;
  return (limit !== undefined && isWorse(limit, 0)) || (stated !== undefined && isWorse(stated, TOLERANCE));
};
