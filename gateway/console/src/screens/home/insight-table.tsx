import type { InsightNews } from "../../data/news.js";
import { Sparkline } from "../../charts/sparkline.js";
import { dayOf } from "../../data/periods.js";
import { Chip } from "../../parts/chip.js";
import { DataTable, type Column } from "../../parts/data-table.js";
import { number } from "../../words/numbers.js";
import { day } from "../../words/times.js";
import { words } from "../../words/words.js";
import styles from "./home.module.css";

const { insightColumns } = words.home;

const COLUMNS: readonly Column<InsightNews>[] = [
  { key: "name", label: insightColumns.name, value: (row) => <Name row={row} /> },
  { key: "state", label: insightColumns.state, value: ({ insight }) => words.labels.state(insight.status) },
  {
    key: "days",
    label: insightColumns.days,
    value: ({ name, days }) => <Sparkline label={words.home.daysOf(name, days)} values={days} isLastOpen />,
  },
  {
    key: "postings",
    label: insightColumns.postings,
    isNumber: true,
    value: ({ insight: { id, posting_count: count } }) => <a href={`/insights/${id}/postings`}>{number(count)}</a>,
  },
  {
    key: "new",
    label: insightColumns.newOnes,
    isNumber: true,
    value: ({ newPostings, isMore }) =>
      newPostings === undefined ? "" : words.home.newOf(newPostings) + (isMore ? "+" : ""),
  },
  { key: "platforms", label: insightColumns.platforms, value: (row) => <Platforms row={row} /> },
];

/** The newest insights with what is new in each. */
export function InsightTable({ news }: { readonly news: readonly InsightNews[] }) {
  return <DataTable caption={words.home.insights} columns={COLUMNS} rows={news} rowKey={({ insight }) => insight.id} />;
}

function Name({ row: { insight, name, spikes } }: { readonly row: InsightNews }) {
  return (
    <div class={styles["name"]}>
      <a href={`/insights/${insight.id}`}>
        <bdi>{name}</bdi>
      </a>
      {newestSpikes(spikes).map((spike) => (
        <Chip key={spike.start} tone="warn" href={`/insights/${insight.id}?spike=${dayOf(Date.parse(spike.start))}`}>
          ▲ {words.home.unusual(day(new Date(spike.start)), spike.seen, spike.expected)}
        </Chip>
      ))}
      {spikes.length > SPIKES_MAX ? (
        <a class="small" href={`/insights/${insight.id}`}>
          {words.home.moreUnusual(spikes.length - SPIKES_MAX)}
        </a>
      ) : null}
    </div>
  );
}

function Platforms({ row: { insight, trouble } }: { readonly row: InsightNews }) {
  if (trouble.length === 0) return <>{words.home.platformCount(insight.platforms.length)}</>;
  const states = words.platformStates;
  return (
    <div class={styles["name"]}>
      {trouble.map(({ platform, state }) => (
        <Chip key={platform} tone="danger" href={`/insights/${insight.id}/collection`}>
          ▲ {words.home.trouble(words.labels.platform(platform), states[state] ?? state)}
        </Chip>
      ))}
    </div>
  );
}

/** How many unusual days a row names; the insight itself shows all. */
const SPIKES_MAX = 2;

function newestSpikes(spikes: InsightNews["spikes"]): InsightNews["spikes"] {
  return [...spikes].sort((a, b) => b.start.localeCompare(a.start)).slice(0, SPIKES_MAX);
}
