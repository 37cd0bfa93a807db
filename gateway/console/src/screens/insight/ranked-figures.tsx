import { useState } from "preact/hooks";
import { RankedBars, type RankedBar } from "../../charts/ranked-bars.js";
import { SmallMultiples, type Multiple } from "../../charts/small-multiples.js";
import { serverNow } from "../../data/clock.js";
import type { ListFilter } from "../../data/filters.js";
import { countOf, stateOf } from "../../data/overview.js";
import type { Breakdown, Spike, Summary } from "../../data/summary.js";
import { Button } from "../../parts/button.js";
import { Figure } from "../../parts/figure.js";
import { number } from "../../words/numbers.js";
import { words } from "../../words/overview.js";
import { quoted } from "../../words/quoted.js";
import styles from "./overview.module.css";
import { stepName, type Links } from "./view.js";

/** So many bars are shown at first. */
const SHOWN = 8;

/** A value, how many postings have it, and where they are. */
interface Entry {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly share: number;
  readonly href: string | undefined;
  /** In the chosen spike, and usually. */
  readonly risen?: { readonly share: number; readonly usual_share: number } | undefined;
}

interface ListProps {
  readonly title: string;
  readonly sentence: string;
  readonly entries: readonly Entry[];
}

export interface RankedFiguresProps {
  readonly summary: Summary;
  readonly spike: Spike | undefined;
  readonly links: Links;
}

/** What the postings are about, by whom and from where: ranked bars, each of which opens its postings. */
export function RankedFigures({ summary, spike, links }: RankedFiguresProps) {
  const { top, totals } = summary;
  const { lists } = words.overview;
  const named = (
    name: ListFilter,
    list: Summary["top"]["topics"],
    risen: Spike["topics"] = [],
  ): Omit<ListProps, "title"> => ({
    sentence: sentenceOf(list),
    entries: list.values.map(({ value, count, share }) => ({
      key: value,
      label: words.filters.value(name, value),
      count,
      share,
      href: links.postings({ name, value }),
      risen: risen.find((entry) => entry.value === value),
    })),
  });
  const authors: Omit<ListProps, "title"> = {
    sentence: sentenceOf(top.authors, true),
    entries: top.authors.values.map((author) => {
      const { author_id: id, author_username: user, author_name: name, platform, count, share } = author;
      const value = id ?? user ?? name;
      return {
        key: `${platform} ${value ?? ""}`,
        label: `${quoted(name ?? user ?? id ?? words.overview.unnamed)} · ${words.labels.platform(platform)}`,
        count,
        share,
        href: value === null ? undefined : links.postings({ name: "author", value }),
        risen: spike?.authors.find(
          (other) =>
            other.platform === platform && (other.author_id ?? other.author_username ?? other.author_name) === value,
        ),
      };
    }),
  };
  const parts = (name: ListFilter, breakdown: Breakdown): Omit<ListProps, "title"> => ({
    sentence: [
      words.overview.breakdownSentence(breakdown.values.filter(({ value }) => value !== null).length),
      breakdown.other === 0 ? "" : words.overview.otherPostings(breakdown.other),
    ]
      .filter(Boolean)
      .join("; "),
    entries: breakdown.values.map(({ value, count }) => ({
      key: value ?? "",
      label: words.filters.value(name, value ?? "none"),
      count,
      share: totals.postings === 0 ? 0 : count / totals.postings,
      href: links.postings({ name, value: value ?? "none" }),
    })),
  });
  const all: ListProps[] = [
    { title: lists.topics, ...named("topic", top.topics, spike?.topics) },
    { title: lists.hashtags, ...named("tag", top.hashtags, spike?.hashtags) },
    { title: lists.authors, ...authors },
    { title: lists.domains, ...named("domain", top.domains, spike?.domains) },
    { title: lists.labels, ...named("label", top.labels) },
    { title: lists.intentions, ...parts("intention", totals.intentions) },
    { title: lists.platforms, ...parts("platform", totals.platforms) },
    { title: lists.languages, ...parts("language", totals.languages) },
    { title: lists.countries, ...parts("country", totals.countries) },
    { title: lists.types, ...parts("type", totals.types) },
  ];
  return (
    <>
      <div class={styles["lists"]}>
        {all
          .filter(({ entries }) => entries.length > 0)
          .map((list) => (
            <RankedFigure key={list.title} {...list} />
          ))}
      </div>
      <PlatformsOverTime summary={summary} links={links} />
    </>
  );
}

type Counted = Omit<Summary["top"]["topics"], "values"> & { readonly values: readonly unknown[] };

function sentenceOf({ values, distinct, error, distinct_error: unsure }: Counted, isOneEach = false): string {
  const { listSentence, authorsSentence, tooLow } = words.overview;
  const says = isOneEach ? authorsSentence : listSentence;
  return [says(values.length, distinct, unsure === 0), error === 0 ? "" : tooLow(error)].filter(Boolean).join(" ");
}

function RankedFigure({ title, sentence, entries }: ListProps) {
  const { overview, charts } = words;
  const [isWhole, setWhole] = useState(false);
  const bars = (isWhole ? entries : entries.slice(0, SHOWN)).map(
    ({ key, label, count, share, href, risen }): RankedBar => ({
      key,
      label,
      value: count,
      text:
        risen === undefined
          ? overview.bar(count, share)
          : overview.barInSpike(count, share, risen.share, risen.usual_share),
      href,
    }),
  );
  return (
    <Figure
      title={title}
      sentence={sentence}
      table={{
        columns: overview.valueColumns,
        rows: entries.map(({ label, count, share }) => [
          label.replaceAll("\u00ad", ""),
          count,
          overview.precise(share),
        ]),
      }}
      file={title.toLowerCase().replaceAll(" ", "-")}
    >
      <RankedBars label={title} bars={bars} most={entries[0]?.count ?? 0} />
      {entries.length <= SHOWN ? null : (
        <Button kind="plain" isSmall expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? charts.showFewer : charts.showMore(entries.length)}
        </Button>
      )}
    </Figure>
  );
}

/** Platforms are not told apart by color: each has a picture, on one scale. */
function PlatformsOverTime({ summary, links }: { readonly summary: Summary; readonly links: Links }) {
  const { overview, labels } = words;
  const { series, interval, totals } = summary;
  const platforms = totals.platforms.values.flatMap(({ value, count }) => (value === null ? [] : [{ value, count }]));
  const [first, last] = [series[0], series.at(-1)];
  if (platforms.length < 2 || first === undefined || last === undefined) return null;
  const now = serverNow();
  const isKnown = series.map((point) => !["missing", "future"].includes(stateOf(point, now)));
  const valuesOf = (platform: string): (number | null)[] =>
    series.map((point, at) => (isKnown[at] === true ? countOf(point.platforms, platform) : null));
  const rows = platforms.map(({ value, count }) => ({ value, count, values: valuesOf(value) }));
  const multiples = rows.map(({ value, count, values }): Multiple => ({
    key: value,
    label: labels.platform(value),
    text: number(count),
    href: links.postings({ name: "platform", value }),
    up: [{ tone: "accent", values }],
  }));
  const most = Math.max(0, ...rows.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return (
    <Figure
      title={overview.platformsOver(interval)}
      sentence={overview.platformsSentence}
      file={`platforms-by-${interval}`}
      table={{
        columns: [overview.stepColumns[0] ?? "", ...rows.map(({ value }) => labels.platform(value))],
        rows: series.map(({ start }, at) => [start, ...rows.map(({ values }) => values[at] ?? null)]),
      }}
    >
      <SmallMultiples
        label={overview.platformsOver(interval)}
        multiples={multiples}
        ends={[stepName(first, interval), stepName(last, interval)]}
        scale={overview.scale(most)}
      />
    </Figure>
  );
}
