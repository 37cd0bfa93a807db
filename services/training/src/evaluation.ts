import type { Judgement } from "./metrics.js";

/** One figure of an evaluation. `stated` is the figure the model card promises; speed is reported, never promised. */
export interface Metric {
  name: string;
  value: number;
  stated?: number;
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

/** Whether a figure is worse than the one the model card states by more than measuring noise. */
export const fallsShort = ({ value, stated, better }: Metric): boolean => {
  if (stated === undefined) return false;
  return better === "lower" ? value > stated + TOLERANCE : value < stated - TOLERANCE;
};
