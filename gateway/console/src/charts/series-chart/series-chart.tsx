import type uPlot from "uplot";
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import type { StepState } from "../../data/overview.js";
import type { Interval } from "../../data/periods.js";
import { useKeys } from "../../parts/keys.js";
import { words } from "../../words/overview.js";
import { useColors } from "../colors.js";
import { countTicks, timeTicks } from "../scales.js";
import { paint, type Fill, type PaintedGap, type Picture } from "./paint.js";
import styles from "./series-chart.module.css";

const TOKENS = [
  "text",
  "muted",
  "line",
  "bg",
  "accent",
  "positive-strong",
  "positive-mild",
  "negative-strong",
  "negative-mild",
  "neutral",
  "control",
] as const;
type Token = (typeof TOKENS)[number];

export interface ChartSeries {
  readonly key: string;
  readonly label: string;
  /** Its sum as it is written. */
  readonly total: string;
  readonly color: Token;
  readonly fill: Fill;
  /** For each step. */
  readonly values: readonly number[];
  readonly href?: string;
}

export interface ChartStep {
  readonly start: string;
  readonly state: StepState;
  /** At the axis. */
  readonly tick: string;
}

export interface SeriesChartProps {
  /** What the chart shows, for those who do not see it. */
  readonly name: string;
  readonly interval: Interval;
  readonly steps: readonly ChartStep[];
  /** Stacked, the first one at the bottom. */
  readonly series: readonly ChartSeries[];
  readonly gaps: readonly PaintedGap[];
  readonly marks: readonly number[];
  readonly changes: readonly { readonly at: number; readonly text: string }[];
  readonly axisWidth: number;
  /** One step, or several from the first to the last: what is said of them, and where they lead. */
  readonly describe: (first: number, last: number) => Described;
  readonly onGo: (href: string) => void;
}

export interface Described {
  readonly text: string;
  /** Their postings, and what the link says. */
  readonly href: string;
  readonly link: string;
  /** The same screen with only this time, where that makes sense. */
  readonly zoomHref?: string | undefined;
}

const HEIGHT = 220;
/** Room that the mark of a step needs on the axis of time, in letters of its text. */
const TICK_LETTERS = 8;

interface Choice {
  readonly first: number;
  readonly last: number;
  /** The end that the keys move. */
  readonly at: number;
}

/**
 * Counts over time as stacked bars. Arrows read the steps, with Shift they choose several, Enter opens their postings; a click
 * does the same, and dragging chooses.
 */
export function SeriesChart(props: SeriesChartProps) {
  const { name, steps, describe, onGo, series } = props;
  const id = useId();
  const [chosen, setChosen] = useState<{ readonly choice: Choice; readonly of: SeriesChartProps["steps"] }>();
  // What was chosen among other steps is chosen no more: it may not even exist.
  const choice = chosen?.of === steps ? chosen.choice : undefined;
  const setChoice = (next: Choice | undefined): void =>
    setChosen(next === undefined ? undefined : { choice: next, of: steps });
  const frame = useRef<HTMLDivElement>(null);
  const { holder, plot, isFailed } = usePlot(props);
  const described = choice === undefined ? undefined : describe(choice.first, choice.last);
  useKeys([
    { keys: "← → Enter", label: words.charts.keysRead, run: () => frame.current?.focus() },
    { keys: "Shift ← →", label: words.charts.keysSpan, run: () => frame.current?.focus() },
  ]);
  const drag = useRef<number>(undefined);
  const stepAt = (event: PointerEvent): number | undefined => {
    const over = plot.current?.over.getBoundingClientRect();
    if (over === undefined) return undefined;
    const at = Math.floor(((event.clientX - over.left) / over.width) * steps.length);
    if (drag.current !== undefined) return Math.max(0, Math.min(steps.length - 1, at));
    return at < 0 || at >= steps.length ? undefined : at;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== frame.current) return;
    const last = steps.length - 1;
    const from = choice?.at;
    const to = {
      ArrowLeft: from === undefined ? last : from - 1,
      ArrowRight: from === undefined ? 0 : from + 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to !== undefined) {
      const at = Math.max(0, Math.min(last, to));
      const anchor =
        choice === undefined || !event.shiftKey ? at : choice.at === choice.first ? choice.last : choice.first;
      setChoice({ first: Math.min(anchor, at), last: Math.max(anchor, at), at });
    } else if (event.key === "Enter" && described !== undefined) onGo(described.href);
    else if (event.key === "Escape" && choice !== undefined) setChoice(undefined);
    else return;
    event.preventDefault();
  };
  return (
    <div class={styles["chart"]}>
      <div
        ref={frame}
        class={styles["frame"]}
        role="application"
        aria-roledescription={words.charts.chart}
        aria-label={name}
        aria-describedby={`${id}-hint`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          drag.current = stepAt(event);
          // Also what is let go elsewhere ends here.
          if (drag.current !== undefined && event.pointerType !== "touch") {
            event.currentTarget.setPointerCapture(event.pointerId);
          }
        }}
        onPointerMove={(event) => {
          const at = stepAt(event);
          if (event.pointerType === "touch") return;
          if (at === undefined) return setChoice(undefined);
          const anchor = event.buttons === 1 ? (drag.current ?? at) : at;
          setChoice({ first: Math.min(anchor, at), last: Math.max(anchor, at), at });
        }}
        onPointerLeave={() => {
          if (drag.current === undefined && choice?.first === choice?.last) setChoice(undefined);
        }}
        onPointerCancel={() => (drag.current = undefined)}
        onPointerUp={(event) => {
          const at = stepAt(event);
          const from = drag.current;
          drag.current = undefined;
          if (at === undefined || from === undefined) return;
          // A finger shows the step first; what is said of it has the link.
          if (event.pointerType === "touch" || at !== from) {
            setChoice({ first: Math.min(from, at), last: Math.max(from, at), at });
          } else if (!event.ctrlKey && !event.metaKey) onGo(describe(at, at).href);
        }}
      >
        <div ref={holder} class={styles["plot"]}>
          {isFailed ? <p>{words.charts.notLoaded}</p> : null}
          {choice === undefined ? null : <Cursor plot={plot.current} choice={choice} />}
        </div>
      </div>
      <ul class={styles["legend"]} aria-label={words.charts.legend}>
        {[...series].reverse().map(({ key, label, total, color, fill, href }) => (
          <li key={key}>
            <span class={`${styles["swatch"] ?? ""} ${styles[fill] ?? ""}`} style={{ "--tone": `var(--${color})` }} />
            {href === undefined ? <span>{label}</span> : <a href={href}>{label}</a>}
            <span class="number muted">{total}</span>
          </li>
        ))}
      </ul>
      <div class={styles["readout"]}>
        <span role="status" aria-live="polite">
          {described?.text}
        </span>
        {described === undefined ? (
          <span id={`${id}-hint`} class="muted">
            {words.charts.hint}
          </span>
        ) : (
          <>
            <a href={described.href}>{described.link}</a>
            {described.zoomHref === undefined ? null : <a href={described.zoomHref}>{words.charts.onlyThese}</a>}
          </>
        )}
      </div>
    </div>
  );
}

/** What is chosen, behind nothing and in front of the bars. */
function Cursor({ plot, choice }: { readonly plot: uPlot | undefined; readonly choice: Choice }) {
  if (plot === undefined) return null;
  const left = plot.valToPos(choice.first - 0.5, "x") + plot.over.offsetLeft;
  const right = plot.valToPos(choice.last + 0.5, "x") + plot.over.offsetLeft;
  return (
    <span
      class={styles["cursor"]}
      style={{
        left: `${left}px`,
        width: `${right - left}px`,
        top: `${plot.over.offsetTop}px`,
        height: `${plot.over.offsetHeight}px`,
      }}
    />
  );
}

/** Keeps a plot of the size of its place, in the colors of the page, with the present numbers. */
function usePlot({ interval, steps, series, gaps, marks, changes, axisWidth }: SeriesChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const colors = useColors(TOKENS);
  const [library, setLibrary] = useState<typeof uPlot | "failed">();
  const [, setWidth] = useState(0);
  const totals = useMemo(
    () => steps.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
    [steps, series],
  );
  const latest = useRef<Picture>(undefined);
  useEffect(() => {
    let isShown = true;
    // As large as the rest of the screen, which need not wait for it.
    import("uplot").then(
      (loaded) => isShown && setLibrary(() => loaded.default),
      () => isShown && setLibrary("failed"),
    );
    return () => void (isShown = false);
  }, []);
  useEffect(() => {
    const element = holder.current;
    if (element === null || colors === undefined || library === undefined || library === "failed") return undefined;
    const { fontFamily } = getComputedStyle(element);
    const fontSize = 0.8 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const ticks = countTicks(Math.max(0, ...totals));
    const starts = steps.map(({ start }) => Date.parse(start));
    latest.current = {
      series: series.map(({ color, fill, values }) => ({ color: colors[color], fill, values })),
      states: steps.map(({ state }) => state),
      gaps,
      marks,
      changes,
      text: colors.text,
      muted: colors.muted,
      line: colors.line,
      background: colors.bg,
      font: fontFamily,
      fontSize,
    };
    const font = `${fontSize}px ${fontFamily}`;
    const axis = { stroke: colors.muted, font, ticks: { show: false } };
    const made = new library(
      {
        width: Math.max(120, element.clientWidth),
        height: HEIGHT,
        padding: [22, 0, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: [-0.5, steps.length - 0.5] },
          y: { range: [0, ticks.at(-1) ?? 1] },
        },
        axes: [
          {
            ...axis,
            size: 28,
            gap: 6,
            grid: { show: false },
            splits: (self) => timeTicks(starts, interval, (self.width - axisWidth) / (TICK_LETTERS * fontSize * 0.7)),
            values: (_, splits) => splits.map((at) => steps[at]?.tick ?? ""),
          },
          {
            ...axis,
            size: axisWidth,
            gap: 8,
            grid: { stroke: colors.line, width: 1 },
            splits: () => ticks,
            values: (_, splits) => splits.map((value) => words.charts.axisNumber(value)),
          },
        ],
        series: [{}, { paths: () => null, points: { show: false } }],
        hooks: {
          draw: [
            (self) => {
              if (latest.current !== undefined) paint(self, latest.current);
            },
          ],
        },
      },
      [steps.map((_, at) => at), totals],
      element,
    );
    plot.current = made;
    const resized = new ResizeObserver(() => {
      const width = element.clientWidth;
      if (width === 0 || width === made.width) return;
      made.setSize({ width, height: HEIGHT });
      setWidth(width);
    });
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [library, colors, steps, series, gaps, marks, changes, interval, axisWidth]);
  return { holder, plot, isFailed: library === "failed" };
}
