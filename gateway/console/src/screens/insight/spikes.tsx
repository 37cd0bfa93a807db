import { serverNow } from "../../data/clock.js";
import type { Insight } from "../../data/insights.js";
import { completeDays, roseMost, spikeKey } from "../../data/overview.js";
import type { Interval } from "../../data/periods.js";
import { useHistory, type Spike, type Summary } from "../../data/summary.js";
import { useAddress } from "../../parts/navigation.js";
import { words } from "../../words/overview.js";
import { fullDay } from "../../words/times.js";
import styles from "./overview.module.css";
import { headOf, postingsIn, postingsOf } from "./spike-view.js";
import type { Links } from "./view.js";

/** So many complete days must be known before one can be unusual. */
const HISTORY_DAYS_MIN = 14;

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

/** What could be judged, and what was found. */
function Judgement({ insight, summary }: Omit<SpikesProps, "links">) {
  const { overview } = words;
  const { spikes, interval, start } = summary;
  const whole = spikes.judgements.filter(({ platform }) => platform === null);
  const status: string | undefined = whole.find(({ metric }) => metric === "postings")?.status;
  const judged = whole.find(({ metric }) => metric === "postings")?.judged ?? 0;
  const isChanged = status === "query_changed";
  const isShort = status === "not_enough_history" || isChanged;
  // Days of the period count, too, for those that follow.
  const history = useHistory(insight.id, summary.end, isShort);
  if (status === "filtered") return overview.filtered;
  if (status === "incomplete") return overview.incomplete;
  if (isShort) {
    // What an earlier version of the search has found says nothing of what is usual for this one.
    const since = changedAt(insight);
    const days = history === undefined ? undefined : completeDays(history, serverNow(), since);
    const isRecent = serverNow() - Date.parse(start) < 366 * 86_400_000;
    const more =
      days !== undefined && days < HISTORY_DAYS_MIN && isRecent
        ? overview.notEnough(HISTORY_DAYS_MIN, HISTORY_DAYS_MIN - days)
        : overview.notEnoughPlain(HISTORY_DAYS_MIN);
    return since === undefined ? more : `${overview.changed(fullDay(new Date(since)))} ${more}`;
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

/** When the search became what it is; undefined: it has always been so. */
function changedAt({ version, versions = [] }: Insight): number | undefined {
  const current = versions.find((each) => each.version === version);
  return current === undefined || version === 1 ? undefined : Date.parse(current.at);
}
