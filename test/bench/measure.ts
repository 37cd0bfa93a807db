/** One line of the table: a figure, its baseline from the same run, and the target of their ratio. */
export interface Measurement {
  name: string;
  value: string;
  baseline: string;
  ratio?: number;
  /** For example `≥ 0.60 (0.80)`. */
  target: string;
}

/** The median; for an even number of values the lower of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** The value below which that share of the values lies, at least one. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Formats the measurements as a table for a terminal. */
export function table(rows: readonly Measurement[]): string {
  const cells = [
    ["measure", "value", "baseline", "ratio", "target"],
    ...rows.map((row) => [row.name, row.value, row.baseline, row.ratio?.toFixed(2) ?? "", row.target]),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ")).join("\n");
}
