import { type Evaluation, fallsShort, type Metric } from "./evaluation.js";

/** Prints a line of progress. */
export const say = (line: string): void => console.log(line);

/** Prints an error. */
export const complain = (line: string): void => console.error(line);

/** Prints one line per figure: measured, stated, and whether the figure is reached. */
export const printEvaluation = ({ analysis, method, metrics }: Evaluation): void => {
  say(`\n${analysis} (${method})`);
  const width = Math.max(...metrics.map(({ name }) => name.length));
  for (const metric of metrics) say(`  ${metric.name.padEnd(width)}  ${measured(metric)}`);
};

const measured = (metric: Metric): string => {
  const value = format(metric.value).padStart(8);
  const stated = metric.stated === undefined ? "" : `  stated ${format(metric.stated)}`;
  const limit = metric.limit === undefined ? "" : `  limit ${format(metric.limit)}`;
  return `${value}${stated}${limit}${fallsShort(metric) ? "  FALLS SHORT" : ""}`;
};

const format = (value: number): string => (Math.abs(value) >= 10 ? value.toFixed(0) : value.toFixed(4));
