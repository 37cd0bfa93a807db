import { useLocation } from "preact-iso/router";
import { useState } from "preact/hooks";
import { serverNow } from "../../data/clock.js";
import { readFilters } from "../../data/filters.js";
import { deleteInsight, type Insight, nameOf } from "../../data/insights.js";
import { periodOf, type Period } from "../../data/periods.js";
import { Button, LinkButton } from "../../parts/button.js";
import { CopyButton } from "../../parts/copy-button.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { deleteLater } from "../../parts/deletion.js";
import { Icon } from "../../parts/icon.js";
import { useAddress } from "../../parts/navigation.js";
import { isTrouble } from "../../parts/platform-state.js";
import { number } from "../../words/numbers.js";
import { ago, moment } from "../../words/times.js";
import { words } from "../../words/collection.js";
import { InsightScreen } from "../insight/insight-tabs.js";
import { CoverageFigure } from "./coverage-figure.js";
import { EraseAuthor } from "./erase-author.js";
import { ImportPostings } from "./import-postings.js";
import styles from "./collection.module.css";

type CollectedPlatform = Insight["platforms"][number];

/** `/insights/:id/collection`: what each platform does and lacks, what is complete, and what can be erased. */
export function CollectionScreen() {
  const { parameters } = useAddress();
  const [now] = useState(() => serverNow());
  const period = periodOf(readFilters(parameters), now);
  return (
    <InsightScreen tab="collection" period={period}>
      {(insight) => <Collection insight={insight} period={period} />}
    </InsightScreen>
  );
}

function Collection({ insight, period }: { readonly insight: Insight; readonly period: Period }) {
  const w = words.collection;
  const troubled = insight.status === "completed" ? [] : insight.platforms.filter(({ state }) => isTrouble(state));
  return (
    <>
      {troubled.length === 0 ? null : (
        <section class={styles["stack"]} aria-label={w.whatToDo}>
          {troubled.map((platform) => (
            <Cure key={platform.platform} platform={platform} />
          ))}
        </section>
      )}
      <section class={styles["stack"]}>
        <h2>{w.platforms}</h2>
        <p class="muted">{w.columnsHelp}</p>
        <Platforms insight={insight} />
      </section>
      <CoverageFigure insight={insight} period={period} />
      <ImportPostings insight={insight} />
      <EraseAuthor insight={insight} />
      <Delete insight={insight} />
    </>
  );
}

/** A platform that collects nothing: why, and what to do. */
function Cure({ platform: { platform, state, last_error: error, stalled } }: { readonly platform: CollectedPlatform }) {
  const w = words.collection;
  const name = words.labels.platform(platform);
  return (
    <div class={styles["trouble"]}>
      <h2>
        <Icon name="alert" /> {name}: {w.states[state] ?? state}
      </h2>
      {error === null ? null : <p dir="auto">{error}</p>}
      {stalled === null ? null : <p>{stalled.reason}</p>}
      {typeof stalled?.next_try_at !== "string" ? null : <p>{w.nextTry(moment(stalled.next_try_at))}</p>}
      <p>{w.cures[state] ?? w.cure}</p>
      <div class={styles["row"]}>
        <code>{words.settings.platforms.check}</code>
        <CopyButton text={words.settings.platforms.check} label={w.copyCheck} />
        <LinkButton isSmall href={`/settings/platforms#${platform}`} label={w.setUpOf(name)}>
          {w.setUp}
        </LinkButton>
      </div>
    </div>
  );
}

function Platforms({ insight }: { readonly insight: Insight }) {
  const w = words.collection;
  const stateOf = ({ state }: CollectedPlatform): string => {
    if (insight.status === "paused" && !isTrouble(state)) return w.paused;
    if (insight.status === "completed" && state === "waiting") return w.ended;
    return w.states[state] ?? state;
  };
  const when = (at: string | null): string => (at === null ? w.never : moment(at));
  const columns: readonly Column<CollectedPlatform>[] = [
    {
      key: "platform",
      label: w.columns.platform,
      value: ({ platform, state }) => (
        <>
          {words.labels.platform(platform)}
          {isTrouble(state) ? <span class={styles["sign"]}> ▲</span> : null}
        </>
      ),
    },
    {
      key: "state",
      label: w.columns.state,
      value: (platform) => (
        <>
          {stateOf(platform)}
          {platform.last_error === null || isTrouble(platform.state) ? null : (
            <p class={styles["warning"]}>{platform.last_error}</p>
          )}
          {platform.warnings.map((warning) => (
            <p key={warning} class={styles["warning"]}>
              {warning}
            </p>
          ))}
        </>
      ),
    },
    {
      key: "next",
      label: w.columns.next,
      value: ({ next_at: at }) => (at === null ? w.noNext : moment(at)),
    },
    {
      key: "success",
      label: w.columns.success,
      value: ({ last_success_at: at }) => (at === null ? w.never : <span title={when(at)}>{ago(at)}</span>),
    },
    ...(
      [
        ["asked", "requests"],
        ["fetched", "fetched"],
        ["matched", "matched"],
        ["kept", "stored"],
        ["again", "duplicates"],
        ["unread", "skipped"],
      ] as const
    ).map(([name, count]) => ({
      key: name,
      label: w.columns[name],
      isNumber: true,
      value: ({ counts }: CollectedPlatform) => number(counts[count]),
    })),
  ];
  return (
    <DataTable caption={w.platforms} columns={columns} rows={insight.platforms} rowKey={({ platform }) => platform} />
  );
}

function Delete({ insight }: { readonly insight: Insight }) {
  const w = words.collection;
  const { route } = useLocation();
  const { id } = insight;
  const remove = (): void => {
    deleteLater({
      record: `insight/${id}`,
      text: words.insights.removed(nameOf(insight)),
      send: (keepalive) => deleteInsight(id, keepalive),
    });
    route("/insights");
  };
  return (
    <section class={styles["stack"]}>
      <h2>{w.remove}</h2>
      <p>{w.removeHelp(insight.posting_count)}</p>
      <div>
        <Button kind="danger" icon="trash" onClick={remove}>
          {words.insights.remove}
        </Button>
      </div>
    </section>
  );
}
