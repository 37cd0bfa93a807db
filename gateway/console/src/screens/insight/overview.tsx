import { HourglassError } from "@hourglass/client";
import { useEffect, useRef } from "preact/hooks";
import { serverNow } from "../../data/clock.js";
import { addressOf, entriesOf, isFiltered, readFilters, withPeriod, type ListFilter } from "../../data/filters.js";
import type { Insight } from "../../data/insights.js";
import { spikeOf } from "../../data/overview.js";
import { dayOf, intervalOf, laterHalf, periodOf, spanOf, DAY_MS, type Period } from "../../data/periods.js";
import { useHidden, useSummary, type Breakdown, type Summary } from "../../data/summary.js";
import { LinkButton } from "../../parts/button.js";
import { Chip, Chips } from "../../parts/chip.js";
import { FilterBar } from "../../parts/filter-bar/filter-bar.js";
import { useAddress } from "../../parts/navigation.js";
import { EmptyState, Load, Problem } from "../../parts/states.js";
import { clock, period as periodText } from "../../words/times.js";
import { words } from "../../words/overview.js";
import { EmotionFigures } from "./emotion-figures.js";
import { InsightScreen } from "./insight-tabs.js";
import { RankedFigures } from "./ranked-figures.js";
import { loadedLater } from "../loaded-later.js";
import { SeriesFigure } from "./series-figure.js";
import { Totals } from "./totals.js";
import styles from "./overview.module.css";
import { linksOf } from "./view.js";

/** Loaded when a spike is chosen: most of the time none is. */
const SpikePanel = loadedLater(() => import("./spike-panel.js").then(({ SpikePanel: panel }) => panel));

/** What an insight found: how much and when, in which mood, about what, and what is missing. */
export function Overview() {
  const { parameters } = useAddress();
  const period = periodOf(readFilters(parameters), serverNow());
  return (
    <InsightScreen tab="overview" period={period}>
      {(insight) => <Content insight={insight} period={period} />}
    </InsightScreen>
  );
}

function Content({ insight, period }: { readonly insight: Insight; readonly period: Period }) {
  const { id } = insight;
  const { parameters } = useAddress();
  const filters = readFilters(parameters);
  const interval = intervalOf(filters.interval, period);
  const summary = useSummary({ id, filters, period, interval });
  const hidden = useHidden({ id, filters, period }, isFiltered(filters));
  const newer = useNewer(insight, summary.dataUpdatedAt);
  const { data, error } = summary;
  const isTooSlow = error instanceof HourglassError && error.status === 504;
  return (
    <>
      <FilterBar
        period={period}
        interval={interval}
        platforms={insight.query.platforms}
        seen={data === undefined ? {} : seenIn(data)}
        hidden={hidden?.spam}
        error={error}
      />
      {isTooSlow ? (
        <TooSlow error={error} period={period} onRetry={() => void summary.refetch()} />
      ) : (
        <Load query={summary} height="80rem" doing={words.overview.counting(insight.posting_count)}>
          {(value) => (
            <div class={styles["content"]} aria-busy={summary.isPlaceholderData}>
              <Totals
                summary={value}
                hidden={hidden}
                links={linksOf(id, parameters, period)}
                updated={
                  summary.isFetching
                    ? words.frame.updating
                    : words.overview.updated(clock(new Date(summary.dataUpdatedAt)))
                }
                newer={newer}
                onUpdate={() => void summary.refetch()}
              />
              {value.totals.postings === 0 ? <Nothing insight={insight} /> : null}
              <Figures insight={insight} summary={value} period={period} />
            </div>
          )}
        </Load>
      )}
    </>
  );
}

function Figures({
  insight,
  summary,
  period,
}: {
  readonly insight: Insight;
  readonly summary: Summary;
  readonly period: Period;
}) {
  const { parameters } = useAddress();
  const links = linksOf(insight.id, parameters, period);
  const spike = spikeOf(summary.spikes.spikes, parameters.get("spike"));
  return (
    <>
      <SeriesFigure insight={insight} summary={summary} links={links} />
      {spike === undefined ? null : <SpikePanel spike={spike} interval={summary.interval} links={links} />}
      {summary.totals.postings === 0 ? null : (
        <>
          <EmotionFigures summary={summary} />
          <RankedFigures summary={summary} spike={spike} links={links} />
        </>
      )}
    </>
  );
}

/** Postings that have come since the numbers were counted: announced, never pushed in. */
function useNewer({ posting_count: all, unanalysed_count: waiting }: Insight, countedAt: number): number {
  const analyzed = all - waiting;
  const before = useRef<{ readonly at: number; readonly analyzed: number }>(undefined);
  useEffect(() => {
    if (countedAt !== 0 && before.current?.at !== countedAt) before.current = { at: countedAt, analyzed };
  }, [countedAt]);
  return before.current?.at === countedAt ? Math.max(0, analyzed - before.current.analyzed) : 0;
}

/** The server gave up: the later half of the period is often enough, and what was counted is kept. */
function TooSlow({
  error,
  period,
  onRetry,
}: {
  readonly error: unknown;
  readonly period: Period;
  readonly onRetry: () => void;
}) {
  const { path, parameters } = useAddress();
  const half = laterHalf(period);
  return (
    <Problem error={error} onRetry={onRetry}>
      <p>{words.overview.tooSlow}</p>
      {half === undefined ? null : (
        <LinkButton href={addressOf(path, withPeriod(parameters, half))}>
          {words.overview.halfPeriod(periodText(spanOf(half).start, spanOf(half).end))}
        </LinkButton>
      )}
    </Problem>
  );
}

/** Why there is nothing, and the next step. */
function Nothing({ insight }: { readonly insight: Insight }) {
  const { path, parameters } = useAddress();
  const { overview } = words;
  if (insight.posting_count === 0) {
    const next = insight.platforms
      .map(({ next_at: at }) => at)
      .filter((at) => at !== null)
      .sort()[0];
    return (
      <EmptyState title={overview.noneYet}>
        {next === undefined ? null : <p>{overview.firstLook(clock(next))}</p>}
        <LinkButton href={`/insights/${insight.id}/collection`}>{overview.goCollection}</LinkButton>
      </EmptyState>
    );
  }
  const entries = entriesOf(parameters).filter(({ isKnown }) => isKnown);
  if (entries.length > 0) {
    return (
      <EmptyState title={overview.noneMatches}>
        <p>{overview.removeOne}</p>
        <Chips>
          {entries.map(({ name, value, without }) => (
            <Chip key={`${name}=${value}`} href={addressOf(path, without)}>
              <bdi>{words.filters.chip(name, value)}</bdi>
            </Chip>
          ))}
        </Chips>
      </EmptyState>
    );
  }
  // The first poll looks back for a week.
  const from = dayOf(Date.parse(insight.created_at) - 7 * DAY_MS);
  return (
    <EmptyState title={overview.none}>
      <LinkButton href={addressOf(path, withPeriod(parameters, { from, to: dayOf(serverNow()) }))}>
        {overview.sinceBeginning}
      </LinkButton>
    </EmptyState>
  );
}

/** What there is to choose from in the filters: the values of the postings that are shown. */
function seenIn({ totals, top }: Summary): Partial<Record<ListFilter, readonly string[]>> {
  const named = ({ values }: Breakdown): string[] => values.flatMap(({ value }) => value ?? []);
  const listed = ({ values }: Summary["top"]["topics"]): string[] => values.map(({ value }) => value);
  return {
    language: named(totals.languages),
    country: named(totals.countries),
    type: named(totals.types),
    author: top.authors.values.flatMap(
      ({ author_name: name, author_username: user, author_id: id }) => name ?? user ?? id ?? [],
    ),
    topic: listed(top.topics),
    tag: listed(top.hashtags),
    domain: listed(top.domains),
    label: listed(top.labels),
  };
}
