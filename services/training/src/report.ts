import { type Interval, type Judgment, wilson } from "./metrics.js";

/** Prints a line of progress. */
export const say = (line: string): void => console.log(line);

/** Prints an error. */
export const complain = (line: string): void => console.error(line);

/** Prints one line per figure: measured, stated, and whether the figure is reached. */
export const printEvaluation = ({ analysis, method, metrics, table = [] }: Evaluation): void => {
  say(`\n${analysis} (${method})`);
  const width = Math.max(...metrics.map(({ name }) => name.length));
  for (const metric of metrics) say(`  ${metric.name.padEnd(width)}  ${measured(metric)}`);
  for (const line of table) say(`  ${line}`);
};

const measured = (metric: Metric): string => {
  const value = format(metric.value).padStart(8);
  const interval = metric.interval === undefined ? "" : `  ${formatInterval(metric.interval)}`;
  const stated = metric.stated === undefined ? "" : `  stated ${format(metric.stated)}`;
  const limit = metric.limit === undefined ? "" : `  limit ${format(metric.limit)}`;
  return `${value}${interval}${stated}${limit}${fallsShort(metric) ? "  FALLS SHORT" : ""}`;
};

const format = (value: number): string => (Math.abs(value) >= 10 ? value.toFixed(0) : value.toFixed(4));

/** An interval of a share with three decimals, such as `[.705–.738]`. */
export const formatInterval = ([low, high]: Interval): string => `[${formatShare(low)}–${formatShare(high)}]`;

/** A share with three decimals and no zero before the point, such as `.705` or `1.000`. */
export const formatShare = (share: number): string => share.toFixed(3).replace(/^0/, "");

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
  judgments?: readonly Judgment[];
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
