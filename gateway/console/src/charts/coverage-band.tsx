import type { ComponentChildren } from "preact";
import { words } from "../words/coverage.js";
import styles from "./coverage-band.module.css";

export interface BandSpan {
  /** Parts of the whole time, from 0 to 1. */
  readonly from: number;
  readonly to: number;
  readonly completeness: string;
  /** Why it is not complete. */
  readonly reason: string;
  /** What it is, when and why, for the tooltip. */
  readonly text: string;
}

export interface BandRow {
  readonly key: string;
  readonly label: string;
  readonly spans: readonly BandSpan[];
  /** How much of the time is complete. */
  readonly share: string;
  /** The same, and what is not complete, in words. */
  readonly sentence: string;
}

export interface CoverageBandProps {
  readonly rows: readonly BandRow[];
  /** Where the time begins, in pixels: under the plot above, if there is one. */
  readonly axisWidth: number;
  /** Whether shares and reasons are written into it; otherwise it is a line below a plot, beside which names of series stand. */
  readonly isTall?: boolean;
  /** Beside the key. */
  readonly children?: ComponentChildren;
}

/** A narrower span has no room for words. Of the whole time. */
const NAMED_FROM = 0.12;

/** For each platform, which part of the time was collected completely: solid; partly: hatched; unknown: empty. */
export function CoverageBand({ rows, axisWidth, isTall = false, children }: CoverageBandProps) {
  return (
    <div class={`${styles["band"] ?? ""} ${styles[isTall ? "tall" : "thin-line"] ?? ""}`}>
      <div class={styles["rows"]}>
        {rows.map(({ key, label, spans, share, sentence }) => (
          <div key={key} class={styles["row"]} style={{ "--axis": `${axisWidth}px` }}>
            <span class={styles["label"]}>{label}</span>
            <span class={styles["track"]} title={isTall ? undefined : sentence} aria-hidden="true">
              {spans.map((span) => (
                <Span key={span.from} span={span} isNamed={isTall} />
              ))}
            </span>
            {isTall ? (
              <span class={styles["share"]} aria-hidden="true">
                {share}
              </span>
            ) : null}
            <span class="sr-only">{sentence}</span>
          </div>
        ))}
      </div>
      <div class={styles["key"]}>
        {["complete", "thin", "unknown"].map((completeness) => (
          <span key={completeness} class={styles["entry"]}>
            <span class={`${styles["sample"] ?? ""} ${styles[completeness] ?? ""}`} />
            {words.coverage.completeness(completeness)}
          </span>
        ))}
        {children}
      </div>
    </div>
  );
}

function Span({ span, isNamed }: { readonly span: BandSpan; readonly isNamed: boolean }) {
  const { from, to, completeness, reason, text } = span;
  return (
    <span
      class={`${styles["span"] ?? ""} ${styles[completeness] ?? ""}`}
      style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
      title={text}
    >
      {isNamed && reason !== "" && to - from >= NAMED_FROM ? <span class={styles["reason"]}>{reason}</span> : null}
    </span>
  );
}
