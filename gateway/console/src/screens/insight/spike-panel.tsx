import { RankedBars, type RankedBar } from "../../charts/ranked-bars.js";
import type { Table } from "../../data/csv.js";
import { spikeKey } from "../../data/overview.js";
import type { Interval } from "../../data/periods.js";
import { viewOf } from "../../data/posting-view.js";
import type { Spike } from "../../data/summary.js";
import { LinkButton } from "../../parts/button.js";
import { Figure } from "../../parts/figure.js";
import { useAddress } from "../../parts/navigation.js";
import { PostingCard } from "../../parts/posting-card/posting-card.js";
import { words } from "../../words/overview.js";
import styles from "./overview.module.css";
import { headOf, postingsIn, postingsOf, unitOf } from "./spike-view.js";
import { stepName, type Links } from "./view.js";

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
