import { type Interval, wilson } from "./intervals.js";
import type { Judgement } from "./metrics.js";

/**
 * One figure of an evaluation. `stated` is the figure that the model card promises; speed is reported, never promised.
 */
export interface Metric {
  name: string;
  value: number;
  /** The 95 % confidence interval of the value. */
  interval?: Interval;
  stated?: number;
  /** Absolute limit, whatever the card says, without tolerance for noise. */
  limit?: number;
  /** The direction of improvement; `higher` by default. */
  better?: "higher" | "lower";
}

/**
 * The results of one method for one analysis on the development data: a row group of the table that `npm run evaluate`
 * prints.
 */
export interface Evaluation {
  analysis: string;
  method: string;
  metrics: Metric[];
  /** Lines to print below the figures, such as a table. */
  table?: readonly string[];
  /** For classifiers: the data of the calibration plot. */
  judgements?: readonly Judgement[];
}

/** A metric that is a share of rows, with Wilson's interval; the name ends with the number of rows. */
export const shareMetric = (
  name: string,
  hits: number,
  rows: number,
  promised: Pick<Metric, "stated" | "limit" | "better"> = {},
): Metric => ({ name: `${name} (${rows})`, value: hits / (rows || 1), interval: wilson(hits, rows), ...promised });

const TOLERANCE = 0.005;

/** Whether a figure exceeds its limit, or is worse than the model card's by more than measurement noise. */
export const fallsShort = ({ value, stated, limit, better }: Metric): boolean => {
  const isWorse = (than: number, allowance: number): boolean =>
    better === "lower" ? value > than + allowance : value < than - allowance;
  return (limit !== undefined && isWorse(limit, 0)) || (stated !== undefined && isWorse(stated, TOLERANCE));
};
