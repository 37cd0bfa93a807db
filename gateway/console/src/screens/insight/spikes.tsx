import { RankedBars, type RankedBar } from "../../charts/ranked-bars.js";
import type { Table } from "../../data/csv.js";
import type { ListFilter } from "../../data/filters.js";
import type { Insight } from "../../data/insights.js";
import { completeDays, roseMost, spikeKey } from "../../data/overview.js";
import { periodOfSteps, type Interval } from "../../data/periods.js";
import { useHistory, type Spike, type Summary } from "../../data/summary.js";
import { viewOf } from "../../data/posting-view.js";
import { LinkButton } from "../../parts/button.js";
import { Figure } from "../../parts/figure.js";
import { useAddress } from "../../parts/navigation.js";
import { PostingCard } from "../../parts/posting-card/posting-card.js";
import { number, share } from "../../words/numbers.js";
import { words } from "../../words/overview.js";
import styles from "./overview.module.css";
import { stepName, type Links } from "./view.js";

/** So many complete days must be known before one can be unusual. */
const HISTORY_DAYS_MIN = 14;

/** Spikes are judged by hours or by days, whatever the steps are. */
function unitOf(interval: Interval): "hour" | "day" {
  return interval === "hour" ? "hour" : "day";
}

export interface SpikesProps {
  readonly insight: Insight;
  readonly summary: Summary;
  readonly links: Links;
}

/** Every spike as a sentence of counts; where nothing could be judged, why. */
export function Spikes({ insight, summary, links }: SpikesProps) {
  const { parameters } = useAddress();
  const { spikes, interval } = summary;
  const { overview } = words;
  const chosen = parameters.get("spike");
  const whole = spikes.spikes.filter(({ platform }) => platform === null);
  const single = spikes.spikes.filter(({ platform }) => platform !== null);
  return (
    <section class={styles["spikes"]} aria-label={overview.spikes}>
      <p>
        <Judgement insight={insight} summary={summary} />
      </p>
      <SpikeList spikes={whole} interval={interval} links={links} />
      {single.length === 0 ? null : (
        <details open={whole.length === 0 || single.some((spike) => spikeKey(spike) === chosen)}>
          <summary>{overview.onPlatforms(single.length)}</summary>
          <SpikeList spikes={single} interval={interval} links={links} />
        </details>
      )}
    </section>
  );
}

interface SpikeListProps {
  readonly spikes: readonly Spike[];
  readonly interval: Interval;
  readonly links: Links;
}

function SpikeList({ spikes, interval, links }: SpikeListProps) {
  const { hrefWith, parameters } = useAddress();
  const { overview } = words;
  const chosen = parameters.get("spike");
  return (
    <ul>
      {spikes.map((spike) => {
        const key = spikeKey(spike);
        const isChosen = key === chosen;
        return (
          <li key={key} class={isChosen ? `${styles["spike"] ?? ""} ${styles["chosen"] ?? ""}` : styles["spike"]}>
            <span aria-hidden="true">▲</span>
            <span>
              <SpikeSentence spike={spike} interval={interval} />
            </span>
            <span class={styles["spikeLinks"]}>
              <a href={postingsOf(spike, links)}>{overview.showPostings(postingsIn(spike))}</a>
              <a href={hrefWith({ spike: isChosen ? undefined : key })} aria-current={isChosen ? "true" : undefined}>
                {isChosen ? overview.hideWhy : overview.why}
              </a>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function SpikeSentence({ spike, interval }: { readonly spike: Spike; readonly interval: Interval }) {
  const { overview, labels } = words;
  const { platform } = spike;
  const most = roseMost(spike);
  return (
    <>
      {platform === null ? "" : `${overview.spikeOn(labels.platform(platform))}, `}
      {headOf(spike, interval)}
      {most === undefined ? null : (
        <>
          {" "}
          <bdi>{overview.rose(words.filters.value(most.kind, most.value), most.share, most.usual)}</bdi>
        </>
      )}
    </>
  );
}

function headOf(spike: Spike, interval: Interval): string {
  const { overview } = words;
  const { metric, seen, expected } = spike;
  const at = stepName(spike, unitOf(interval));
  return metric === "postings"
    ? overview.spike(at, overview.postings(seen), number(expected))
    : overview.spike(at, overview.negativeSeen(seen), share(expected));
}

function postingsOf(
  spike: Spike,
  links: Links,
  narrowing: { readonly name?: ListFilter; readonly value?: string } = {},
): string {
  const { platform, metric } = spike;
  const period = periodOfSteps(spike, spike);
  if (narrowing.name !== undefined) return links.postings({ ...narrowing, period });
  if (platform !== null) return links.postings({ name: "platform", value: platform, period });
  return metric === "negative_share"
    ? links.postings({ name: "polarity", value: "negative", period })
    : links.postings({ period });
}

/** How many postings the link of a spike shows; of a share, those that were looked at. */
function postingsIn({ metric, seen, examined }: Spike): number {
  return metric === "postings" ? seen : examined;
}

/** What could be judged, and what was found. */
function Judgement({ insight, summary }: Omit<SpikesProps, "links">) {
  const { overview } = words;
  const { spikes, interval, start } = summary;
  const whole = spikes.judgements.filter(({ platform }) => platform === null);
  const status: string | undefined = whole.find(({ metric }) => metric === "postings")?.status;
  const judged = whole.find(({ metric }) => metric === "postings")?.judged ?? 0;
  const isShort = status === "not_enough_history";
  // Days of the period count, too, for those that follow.
  const history = useHistory(insight.id, summary.end, isShort);
  if (status === "filtered") return overview.filtered;
  if (status === "incomplete") return overview.incomplete;
  if (status === "query_changed") return overview.changed;
  if (isShort) {
    const days = history === undefined ? undefined : completeDays(history, Date.now());
    const isRecent = Date.now() - Date.parse(start) < 366 * 86_400_000;
    return days !== undefined && days < HISTORY_DAYS_MIN && isRecent
      ? overview.notEnough(HISTORY_DAYS_MIN, HISTORY_DAYS_MIN - days)
      : overview.notEnoughPlain(HISTORY_DAYS_MIN);
  }
  const found = spikes.spikes.length;
  const negative = whole.find(({ metric }) => metric === "negative_share");
  return (
    <>
      {found === 0 ? overview.noneFound(judged, interval) : overview.found(found, judged, interval)}
      {negative?.judged === 0 ? ` ${overview.negativeNotJudged}` : ""}
    </>
  );
}

export interface SpikePanelProps {
  readonly spike: Spike;
  readonly interval: Interval;
  readonly links: Links;
}

const LISTS = ["topics", "hashtags", "authors", "domains"] as const;
const FILTER_OF = { topics: "topic", hashtags: "tag", authors: "author", domains: "domain" } as const;

/** A value that more postings of the spike have than usual. */
interface Risen {
  readonly list: (typeof LISTS)[number];
  readonly value: string;
  readonly label: string;
  readonly count: number;
  readonly share: number;
  readonly usual: number;
}

/** Why a day was unusual: what rose, how much of it repeats, and examples. */
export function SpikePanel({ spike, interval, links }: SpikePanelProps) {
  const { hrefWith } = useAddress();
  const { overview } = words;
  const { examined, reposts, repeated_texts: repeated } = spike;
  const risen = risenIn(spike);
  const at = stepName(spike, unitOf(interval));
  return (
    <Figure
      title={overview.spikeTitle(at)}
      sentence={`${headOf(spike, interval)} ${overview.spikeReposts(reposts, repeated, examined)}`}
      table={tableOf(risen)}
      file={`spike-${spikeKey(spike).replaceAll(",", "-")}`}
      under={
        <>
          <Examples spike={spike} links={links} />
          <div class={styles["spikeLinks"]}>
            <LinkButton href={postingsOf(spike, links)}>{overview.showPostings(postingsIn(spike))}</LinkButton>
            <LinkButton kind="plain" href={hrefWith({ spike: undefined })}>
              {overview.hideWhy}
            </LinkButton>
          </div>
        </>
      }
    >
      {risen.length === 0 ? (
        <p>{overview.noneRose}</p>
      ) : (
        <div class={styles["columns"]}>
          {LISTS.filter((list) => risen.some((entry) => entry.list === list)).map((list) => (
            <div key={list}>
              <h3>{overview.roseList[list]}</h3>
              <RankedBars
                label={overview.roseList[list]}
                most={1}
                bars={risen
                  .filter((entry) => entry.list === list)
                  .map(({ value, label, share: part, usual }): RankedBar => ({
                    key: value,
                    label,
                    value: part,
                    text: overview.risen(part, usual),
                    href: postingsOf(spike, links, { name: FILTER_OF[list], value }),
                  }))}
              />
            </div>
          ))}
        </div>
      )}
    </Figure>
  );
}

function risenIn({ topics, hashtags, domains, authors }: Spike): Risen[] {
  const named = (list: "topics" | "hashtags" | "domains", values: Spike["topics"]): Risen[] =>
    values.map(({ value, count, share: part, usual_share: usual }) => ({
      list,
      value,
      label: words.filters.value(FILTER_OF[list], value),
      count,
      share: part,
      usual,
    }));
  const people = authors.map(
    ({ author_id: id, author_username: user, author_name: name, count, share: part, usual_share: usual }) => ({
      list: "authors" as const,
      value: id ?? user ?? name ?? "",
      label: name ?? user ?? id ?? words.overview.unnamed,
      count,
      share: part,
      usual,
    }),
  );
  return [...named("topics", topics), ...named("hashtags", hashtags), ...people, ...named("domains", domains)];
}

function tableOf(risen: readonly Risen[]): Table {
  return {
    columns: words.overview.spikeColumns,
    rows: risen.map(({ list, label, count, share: part, usual }) => [
      words.overview.lists[list],
      label,
      count,
      words.overview.precise(part),
      words.overview.precise(usual),
    ]),
  };
}

/** The beginnings of three postings; each opens. */
function Examples({ spike, links }: { readonly spike: Spike; readonly links: Links }) {
  const { overview } = words;
  if (spike.examples.length === 0) return null;
  return (
    <div>
      <h3>{overview.examples}</h3>
      <ul class={styles["examples"]}>
        {spike.examples.map(viewOf).map((posting) => (
          <li key={posting.key}>
            <PostingCard
              posting={posting}
              href={`${postingsOf(spike, links)}&posting=${encodeURIComponent(posting.key)}`}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
