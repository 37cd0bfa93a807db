import styles from "./sparkline.module.css";

export interface SparklineProps {
  /** What it shows, with its numbers. */
  readonly label: string;
  /** For each step; null: not known. */
  readonly values: readonly (number | null)[];
  /** Whether the last step is not over: it is drawn pale. */
  readonly isLastOpen?: boolean;
}

const HEIGHT = 24;

/** A row of small bars beside a name. They begin at zero; what is not known is left out. */
export function Sparkline({ label, values, isLastOpen = false }: SparklineProps) {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const bar = (at: number): string => {
    const value = values[at];
    if (value === null || value === undefined) return "";
    // What is known to be zero is a line, unlike what is not known.
    const height = Math.max(0.6, (value / most) * (HEIGHT - 2));
    return `M${at + 0.1} ${HEIGHT}h.8v${-height}h-.8z`;
  };
  const last = values.length - 1;
  const closed = isLastOpen ? values.slice(0, -1) : values;
  return (
    <svg
      class={styles["sparkline"]}
      viewBox={`0 0 ${Math.max(1, values.length)} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <path class={styles["bars"]} d={closed.map((_, at) => bar(at)).join("")} />
      {isLastOpen ? <path class={styles["open"]} d={bar(last)} /> : null}
    </svg>
  );
}
