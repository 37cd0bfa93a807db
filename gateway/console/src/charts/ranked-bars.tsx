import styles from "./ranked-bars.module.css";

export type BarTone = "usual" | "positive" | "negative" | "neutral";

export interface RankedBar {
  readonly key: string;
  readonly label: string;
  /** Length of the bar, on the scale of `most`. */
  readonly value: number;
  /** The number as it is written, with its share. */
  readonly text: string;
  readonly tone?: BarTone;
  readonly href?: string | undefined;
  readonly isSelected?: boolean;
}

export interface RankedBarsProps {
  readonly label: string;
  readonly bars: readonly RankedBar[];
  /** The longest bar. Default: the largest value. Bars begin at zero. */
  readonly most?: number;
}

/** Values one below the other, the longest first, each with its number. */
export function RankedBars({ label, bars, most }: RankedBarsProps) {
  const longest = most ?? Math.max(0, ...bars.map(({ value }) => value));
  return (
    <ul class={styles["list"]} aria-label={label}>
      {bars.map((bar) => (
        <li key={bar.key}>
          <Row bar={bar} longest={longest} />
        </li>
      ))}
    </ul>
  );
}

function Row({ bar, longest }: { readonly bar: RankedBar; readonly longest: number }) {
  const { label, value, text, tone = "usual", href, isSelected = false } = bar;
  const width = longest === 0 ? 0 : Math.max(0, Math.min(1, value / longest)) * 100;
  const content = (
    <>
      <span class={styles["text"]} title={label} dir="auto">
        {label}
      </span>
      <span class={styles["figures"]}>{text}</span>
      <span class={styles["track"]} aria-hidden="true">
        <span
          class={tone === "usual" ? styles["bar"] : `${styles["bar"] ?? ""} ${styles[tone] ?? ""}`}
          style={{ width: `${width}%` }}
        />
      </span>
    </>
  );
  if (href === undefined) return <div class={styles["row"]}>{content}</div>;
  return (
    <a class={styles["row"]} href={href} aria-current={isSelected ? "true" : undefined}>
      {content}
    </a>
  );
}
