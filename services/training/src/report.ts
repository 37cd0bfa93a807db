import { type Evaluation, fallsShort, type Metric } from "./evaluation.js";
import type { Interval } from "./intervals.js";

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
