import { words } from "../words/overview.js";
import styles from "./coverage-band.module.css";

export interface BandSpan {
  /** Parts of the whole time, from 0 to 1. */
  readonly from: number;
  readonly to: number;
  readonly completeness: string;
  /** What it is and why, for the tooltip and those who do not see it. */
  readonly text: string;
}

export interface BandRow {
  readonly key: string;
  readonly label: string;
  readonly spans: readonly BandSpan[];
  /** What is not complete, in words. */
  readonly sentence: string;
}

export interface CoverageBandProps {
  readonly rows: readonly BandRow[];
  /** Where it leads: to what was collected, and why not all. */
  readonly href: string;
  /** Where the time begins, in pixels: under the plot above. */
  readonly axisWidth: number;
  /** Whether names of series stand beside the plot above. */
  readonly hasMargin?: boolean;
}

/** For each platform, which part of the time was collected completely: solid; partly: hatched; unknown: empty. */
export function CoverageBand({ rows, href, axisWidth, hasMargin = true }: CoverageBandProps) {
  return (
    <div class={hasMargin ? `${styles["band"] ?? ""} ${styles["margin"] ?? ""}` : styles["band"]}>
      <div class={styles["rows"]}>
        {rows.map(({ key, label, spans, sentence }) => (
          <div key={key} class={styles["row"]} style={{ "--axis": `${axisWidth}px` }}>
            <span class={styles["label"]}>{label}</span>
            <span class={styles["track"]} title={sentence} aria-hidden="true">
              {spans.map((span) => (
                <span
                  key={span.from}
                  class={`${styles["span"] ?? ""} ${styles[span.completeness] ?? ""}`}
                  style={{ left: `${span.from * 100}%`, width: `${(span.to - span.from) * 100}%` }}
                  title={span.text}
                />
              ))}
            </span>
            <span class="sr-only">{sentence}</span>
          </div>
        ))}
      </div>
      <div class={styles["key"]}>
        <span class={`${styles["sample"] ?? ""} ${styles["complete"] ?? ""}`} /> {words.charts.complete}
        <span class={`${styles["sample"] ?? ""} ${styles["thin"] ?? ""}`} /> {words.charts.partly}
        <span class={`${styles["sample"] ?? ""} ${styles["unknown"] ?? ""}`} /> {words.charts.unknown}
        <a href={href}>{words.charts.whatIsMissing}</a>
      </div>
    </div>
  );
}
