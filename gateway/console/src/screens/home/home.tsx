import { useEffect, useMemo } from "preact/hooks";
import { useNews, type InsightNews } from "../../data/news.js";
import { useRunning, type Running } from "../../data/running.js";
import { commandOf, useMe, useServer, type Server } from "../../data/server.js";
import { Visits, type Visit } from "../../data/visits.js";
import { LinkButton } from "../../parts/button.js";
import { CopyButton } from "../../parts/copy-button.js";
import { Screen } from "../../parts/screen.js";
import { Load } from "../../parts/states.js";
import { ago } from "../../words/times.js";
import { words } from "../../words/words.js";
import { Beginnings } from "./beginnings.js";
import styles from "./home.module.css";
import { InsightTable } from "./insight-table.js";

/** What changed since the last visit, what runs, what is missing; on the first visit, three ways to begin. */
export function Home() {
  const { data: me } = useMe();
  const { data: server } = useServer();
  const products = me?.company.products.filter(({ active }) => active).map(({ uid }) => uid);
  const running = useRunning(products);
  const isInsight = products?.includes("insight") === true;
  return (
    <Screen title={words.home.title}>
      {isInsight ? (
        <Insights userId={me?.id ?? 0} running={running.data} server={server} mayChange={me?.role !== "viewer"} />
      ) : (
        <Beginnings isFirst={running.data?.hasAnalyses === false} products={products ?? []} demoInsight={undefined} />
      )}
      {running.data === undefined ? null : <RunningList running={running.data} />}
      {server === undefined ? null : <Missing server={server} />}
    </Screen>
  );
}

interface InsightsProps {
  readonly userId: number;
  readonly running: Running | undefined;
  readonly server: Server | undefined;
  readonly mayChange: boolean;
}

function Insights({ userId, running, server, mayChange }: InsightsProps) {
  const visits = useMemo(() => new Visits(userId), [userId]);
  const last = useMemo(() => visits.last, [visits]);
  const news = useNews(last?.watermarks ?? {});
  const { data } = news;
  useEffect(() => {
    if (data !== undefined)
      visits.see(Object.fromEntries(data.map(({ insight, watermark }) => [insight.id, watermark])));
  }, [data, visits]);
  return (
    <Load query={news} height="24rem">
      {(list) => {
        const demoInsight = server?.demo === true ? list.at(-1)?.insight.id : undefined;
        const isFirst = list.length === 0 && running?.hasAnalyses === false;
        return (
          <>
            {mayChange ? (
              <Beginnings isFirst={isFirst} products={["api", "insight"]} demoInsight={demoInsight} />
            ) : null}
            {list.length === 0 ? null : (
              <section class={styles["section"]} aria-labelledby="insights">
                <Since last={last} news={list} />
                <InsightTable news={list} />
                <div>
                  <LinkButton href="/insights">{words.home.allInsights}</LinkButton>
                </div>
              </section>
            )}
          </>
        );
      }}
    </Load>
  );
}

function Since({ last, news }: { readonly last: Visit | undefined; readonly news: readonly InsightNews[] }) {
  const w = words.home;
  const fresh = news.reduce((sum, { newPostings = 0 }) => sum + newPostings, 0);
  const unusual = news.reduce((sum, { spikes }) => sum + spikes.length, 0);
  const trouble = news.reduce((sum, one) => sum + one.trouble.length, 0);
  const facts = [...(fresh > 0 ? [w.newPostings(fresh)] : []), ...(unusual > 0 ? [w.unusualDays(unusual)] : [])];
  return (
    <div class={styles["since"]}>
      <h2 id="insights">{last === undefined ? w.insights : w.since(ago(last.at))}</h2>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      {trouble > 0 ? <span class={styles["warn"]}>▲ {w.inTrouble(trouble)}</span> : null}
      {facts.length === 0 && trouble === 0 && last !== undefined ? <span class="muted">{w.nothingNew}</span> : null}
    </div>
  );
}

function RunningList({ running: { analyses, exports } }: { readonly running: Running }) {
  if (analyses.length + exports.length === 0) return null;
  const w = words.home;
  return (
    <section class={styles["section"]} aria-labelledby="running">
      <h2 id="running">{w.running}</h2>
      <ul class={styles["missing"]}>
        {analyses.map(({ id, name, preview, progress: { done, total } }) => (
          <li key={`a${id}`}>
            <a href={`/analyses/${id}`}>
              <bdi>{w.analysisRuns(name ?? preview, done, total)}</bdi>
            </a>
            <progress max={Math.max(1, total)} value={done} aria-label={name ?? preview} />
          </li>
        ))}
        {exports.map(({ id, progress: { done, total } }) => (
          <li key={`e${id}`}>
            <a href="/exports">{w.exportRuns(id, done, total)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the server lacks, with the command that cures it. */
function Missing({ server }: { readonly server: Server }) {
  const missing = server.analyses.filter(({ state }) => state === "missing");
  if (missing.length === 0) return null;
  const w = words.home;
  return (
    <section class={styles["section"]} aria-labelledby="missing">
      <h2 id="missing">{w.missing}</h2>
      <ul class={styles["missing"]}>
        {missing.map(({ type, cure, reason }) => {
          const command = commandOf({ cure });
          return (
            <li key={type}>
              <strong>{words.labels.analysis(type)}</strong>
              {command === undefined ? (
                <span>{cure ?? reason}</span>
              ) : (
                <>
                  <code>{command}</code>
                  <CopyButton text={command} />
                </>
              )}
            </li>
          );
        })}
      </ul>
      <div>
        <a href="/settings/server">{w.toServer}</a>
      </div>
    </section>
  );
}
