import { useMemo } from "preact/hooks";
import { CoverageBand } from "../../charts/coverage-band.js";
import { SeriesChart, type ChartSeries, type Described } from "../../charts/series-chart/series-chart.js";
import { serverNow } from "../../data/clock.js";
import type { Table } from "../../data/csv.js";
import type { Insight } from "../../data/insights.js";
import { countOf, gapsOf, stateOf, type StepState } from "../../data/overview.js";
import { periodOfSteps } from "../../data/periods.js";
import type { Summary } from "../../data/summary.js";
import { Figure } from "../../parts/figure.js";
import { useAddress } from "../../parts/navigation.js";
import { NARROW, useMedia } from "../../parts/media.js";
import { number, share } from "../../words/numbers.js";
import { fullDay, period as periodText } from "../../words/times.js";
import { words } from "../../words/overview.js";
import { coverageRows } from "./coverage-rows.js";
import { Spikes } from "./spikes.js";
import { stepName, tickName, type Links } from "./view.js";

/** Room for the names of platforms under the plot, so that both begin at the same place. In pixels. */
const AXIS_WIDTH = { wide: 136, narrow: 44 } as const;
/** From the bottom to the top of a bar. */
const STACK = [
  { polarity: "negative", color: "negative-mild", fill: "hatched" },
  { polarity: "neutral", color: "neutral", fill: "dotted" },
  { polarity: "positive", color: "positive-mild", fill: "solid" },
] as const;

export interface SeriesFigureProps {
  readonly insight: Insight;
  readonly summary: Summary;
  readonly links: Links;
}

/** Postings over time with what was collected under them, and what was unusual. */
export function SeriesFigure({ insight, summary, links }: SeriesFigureProps) {
  const { go } = useAddress();
  const axisWidth = useMedia(NARROW) ? AXIS_WIDTH.narrow : AXIS_WIDTH.wide;
  const { overview } = words;
  const { series, interval, spikes } = summary;
  const chart = useMemo(() => chartOf(summary, serverNow()), [summary]);
  const withLinks = useMemo(
    () => chart.stack.map((each) => ({ ...each, href: links.postings({ name: "polarity", value: each.key }) })),
    [chart, links.postings()],
  );
  const marks = useMemo(
    () =>
      series.flatMap(({ start, end }, at) =>
        spikes.spikes.some((spike) => spike.start >= start && spike.start < end) ? [at] : [],
      ),
    [summary],
  );
  const describe = (first: number, last: number): Described => {
    const [from, to] = [series[first], series[last]];
    if (from === undefined || to === undefined) throw new RangeError(`The series has no step ${first} or ${last}.`);
    const period = periodOfSteps(from, to);
    const chosen = series.slice(first, last + 1);
    const postings = chosen.reduce((sum, point) => sum + point.postings, 0);
    const parts = chart.stack
      .map(
        ({ values, label }) => [values.slice(first, last + 1).reduce((sum, value) => sum + value, 0), label] as const,
      )
      .filter(([value]) => value > 0)
      .map(([value, label]) => `${number(value)} ${label}`);
    const states = new Set(chart.states.slice(first, last + 1).filter((state) => state !== "complete"));
    const label = first === last ? stepName(from, interval) : periodText(Date.parse(from.start), Date.parse(to.end));
    return {
      text: overview.step(label, postings, parts.join(", "), [...states].map(overview.state).join(", ")),
      href: links.postings({ period }),
      link: overview.showPostings(postings),
      ...(interval === "hour" && first === last ? {} : { zoomHref: links.overview(period) }),
    };
  };
  const [start, end] = [Date.parse(summary.start), Date.parse(summary.end)];
  return (
    <Figure
      title={overview.seriesTitle(interval)}
      sentence={sentenceOf(summary, chart.states)}
      table={tableOf(summary, chart.states)}
      file={`insight-${insight.id}-postings-by-${interval}`}
      under={
        <>
          <CoverageBand rows={coverageRows(summary.coverage, { start, end }, saidInUtc)} axisWidth={axisWidth}>
            <a href={`/insights/${insight.id}/collection`}>{words.coverage.whatIsMissing}</a>
          </CoverageBand>
          <Spikes insight={insight} summary={summary} links={links} />
        </>
      }
    >
      <SeriesChart
        name={overview.seriesName(interval, fullDay(new Date(start)), fullDay(new Date(end - 1)))}
        interval={interval}
        steps={chart.steps}
        series={withLinks}
        gaps={chart.gaps}
        marks={marks}
        changes={chart.changes}
        axisWidth={axisWidth}
        describe={describe}
        onGo={go}
      />
    </Figure>
  );
}

/** The numbers of the plot. They change with the summary only, so that it is drawn once. */
function chartOf(summary: Summary, now: number) {
  const { series, interval } = summary;
  const states = series.map((point) => stateOf(point, now));
  const judged = STACK.map(({ polarity, color, fill }): ChartSeries => {
    const total = countOf(summary.totals.polarities, polarity);
    return {
      key: polarity,
      label: `${words.labels.polaritySign(polarity)} ${words.labels.polarity(polarity)}`,
      total: summary.totals.postings === 0 ? "0" : `${number(total)} · ${share(total / summary.totals.postings)}`,
      color,
      fill,
      values: series.map(({ polarities }) => countOf(polarities, polarity)),
    };
  });
  const rest = series.map(
    ({ postings }, at) => postings - judged.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  );
  const others = rest.reduce((sum, value) => sum + value, 0);
  // Postings without words have no sentiment; they are postings all the same.
  const unjudged: ChartSeries = {
    key: "none",
    label: words.labels.polarity("none"),
    total: number(others),
    color: "control",
    fill: "solid",
    values: rest,
  };
  return {
    states,
    steps: series.map(({ start }, at) => ({
      start,
      state: states[at] ?? ("complete" as const),
      tick: tickName(start, interval),
    })),
    stack: others === 0 ? judged : [...judged, unjudged],
    gaps: gapsOf(summary, now).map(({ first, last, reasons }) => ({
      first,
      last,
      text: words.overview.gap(reasons.map(words.coverage.reason)),
    })),
    // The first version is the beginning, not a change.
    changes: series.flatMap(({ version }, at) =>
      version === undefined || version === 1 ? [] : [{ at, text: words.overview.change(version) }],
    ),
  };
}

function sentenceOf({ series, interval, versions }: Summary, states: readonly StepState[]): string {
  const { overview } = words;
  const changes = versions
    .filter(({ version }) => version > 1)
    .map(({ version, at }) => overview.changeAt(version, fullDay(new Date(at))));
  const highest = series.reduce(
    (a, b) => (b.postings > a.postings ? b : a),
    series[0] ?? { start: "", end: "", postings: 0 },
  );
  const countOfState = (state: StepState): number => states.filter((each) => each === state).length;
  const [partly, missing] = [countOfState("partly"), countOfState("missing")];
  const say = interval === "hour" ? overview.mostOfHours : overview.most;
  return [
    highest.postings === 0 ? "" : say(stepName(highest, interval), highest.postings),
    missing === 0 ? "" : overview.missing(missing, interval),
    partly === 0 ? "" : overview.notAll(partly, interval),
    states.includes("unfinished") ? overview.unfinished(interval) : "",
    changes.length === 0 ? "" : overview.changes(changes),
  ]
    .filter(Boolean)
    .join(" ");
}

function tableOf({ series }: Summary, states: readonly StepState[]): Table {
  const { stepColumns, state: said } = words.overview;
  return {
    columns: stepColumns,
    rows: series.map(({ start, end, postings, polarities, completeness }, at) => {
      const state = states[at] ?? "complete";
      const isKnown = state !== "missing" && state !== "future";
      const judged = STACK.map(({ polarity }) => countOf(polarities, polarity)).reverse();
      const rest = postings - judged.reduce((sum, value) => sum + value, 0);
      const numbers = [postings, ...judged, rest].map((value) => (isKnown ? value : null));
      return [start, end, ...numbers, said(state) || words.coverage.completeness(completeness)];
    }),
  };
}

function saidInUtc(start: number, end: number): string {
  return `${periodText(start, end)} UTC`;
}
