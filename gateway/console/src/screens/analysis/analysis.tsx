import { useRoute } from "preact-iso/router";
import { useEffect, useMemo, useState } from "preact/hooks";
import {
  deleteAnalysis,
  hasEnded,
  readContents,
  readWholeAnalysis,
  useAnalysis,
  type Analysis,
} from "../../data/analyses.js";
import { useReconnected } from "../../data/connection.js";
import { csvOf, save } from "../../data/csv.js";
import { describeError } from "../../data/failure.js";
import { outdate } from "../../data/queries.js";
import { isUnderWay } from "../../data/running.js";
import { useMe } from "../../data/server.js";
import { Button, LinkButton } from "../../parts/button.js";
import { deleteLater } from "../../parts/deletion.js";
import { useKeys } from "../../parts/keys.js";
import { useAddress } from "../../parts/navigation.js";
import { Progress } from "../../parts/progress.js";
import { Screen } from "../../parts/screen.js";
import { Canceled, EmptyState, Load, Problem, Waiting } from "../../parts/states.js";
import { toast } from "../../parts/toasts.js";
import { ago, moment } from "../../words/times.js";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import { StatusChip } from "../analyses/analysis-row.js";
import { NotFound } from "../not-found/not-found.js";
import styles from "./analysis.module.css";
import { ContentList, isGrave } from "./content-list.js";
import { ContentView } from "./content-result.js";
import { ContentsReader } from "./contents-reader.js";
import { Query } from "./group-members.js";
import { resultsTable } from "./results-table.js";

/** An analysis: how far it is, and then its results, content by content. */
export function AnalysisResult() {
  const { params } = useRoute();
  const text = params["id"] ?? "";
  return /^[1-9]\d{0,15}$/.test(text) ? <Known key={text} id={Number(text)} /> : <NotFound />;
}

function Known({ id }: { readonly id: number }) {
  const { go } = useAddress();
  const analysis = useAnalysis(id);
  const { data, error } = analysis;
  const w = analysisWords.result;
  useKeys([{ keys: "Escape", label: w.back, run: () => go("/analyses") }]);
  if (data === undefined && error !== null && describeError(error).isGone) {
    return (
      <Screen title={w.gone}>
        <EmptyState title={w.gone}>
          <p>{words.problems.gone}</p>
          <LinkButton href="/analyses">{w.toList}</LinkButton>
        </EmptyState>
      </Screen>
    );
  }
  return (
    <Screen
      title={data === undefined ? analysisWords.number(id) : titleOf(data)}
      beside={data === undefined ? null : <StatusChip status={data.status} />}
      actions={data === undefined ? null : <Actions analysis={data} />}
    >
      <Load query={analysis} height="30rem">
        {(value) => (
          <>
            <Facts analysis={value} />
            {value.status === "done" ? <Results analysis={value} /> : <NotDone analysis={value} />}
          </>
        )}
      </Load>
    </Screen>
  );
}

function titleOf({ id, name }: Analysis): string {
  return name ?? analysisWords.number(id);
}

function Facts({ analysis }: { readonly analysis: Analysis }) {
  const { query, progress, failed_contents: failed, created_at: at, finished_at: finished } = analysis;
  const w = analysisWords.result;
  const seconds = finished === null ? undefined : (Date.parse(finished) - Date.parse(at)) / 1000;
  const facts = [
    analysisWords.counted(query.type, progress.total),
    ...(failed === null ? [] : [failed === 0 ? w.allFine : w.failed(failed)]),
    w.by(ago(at)),
    ...(seconds === undefined ? [] : [w.took(seconds)]),
  ];
  return (
    <p class="small muted" title={moment(at)}>
      {facts.join(" · ")}
    </p>
  );
}

function Actions({ analysis }: { readonly analysis: Analysis }) {
  const { go } = useAddress();
  const { data: me } = useMe();
  const { id, status, query } = analysis;
  const w = analysisWords.result;
  const mayChange = me?.role !== "viewer";
  const isDone = status === "done";
  const download = async (write: () => Promise<void>): Promise<void> => {
    try {
      await write();
    } catch (error) {
      toast(describeError(error).title, { isProblem: true });
    }
  };
  const remove = (): void => {
    deleteLater({
      record: `analysis/${id}`,
      text: analysisWords.list.removed(titleOf(analysis)),
      send: (keepalive) => deleteAnalysis(id, keepalive),
      onDone: () => outdate(["analyses"]),
    });
    go("/analyses");
  };
  const hasFiles = query.contents.some((content) => typeof content === "number");
  return (
    <>
      {isDone ? (
        <>
          <Button
            onClick={() =>
              download(async () => {
                const whole = await readWholeAnalysis(id);
                save(`analysis-${id}.json`, JSON.stringify(whole, undefined, 2), "application/json");
              })
            }
          >
            {w.json}
          </Button>
          <Button
            onClick={() =>
              download(async () => {
                const { data } = await readWholeAnalysis(id);
                const results = (data?.contents ?? []).map((content, index) => ({ ...content, index }));
                save(`analysis-${id}.csv`, csvOf(resultsTable(results)), "text/csv");
              })
            }
          >
            {w.csv}
          </Button>
        </>
      ) : null}
      {hasFiles || !mayChange ? null : <LinkButton href={`/analyses/new?from=${id}`}>{w.copy}</LinkButton>}
      {mayChange ? (
        <Button kind="danger" icon="trash" onClick={remove}>
          {w.delete}
        </Button>
      ) : null}
    </>
  );
}

/** An analysis that still runs, or that has failed as a whole. */
function NotDone({ analysis }: { readonly analysis: Analysis }) {
  const { id, status, error, progress, query } = analysis;
  const w = analysisWords.result;
  if (hasEnded(status)) {
    return (
      <EmptyState title={status === "failed" ? w.failedTitle : w.invalidTitle}>
        <p>{error}</p>
        {status === "failed" ? <p class="muted">{w.failedHelp}</p> : null}
        {query.type === "text" ? <LinkButton href={`/analyses/new?from=${id}`}>{w.copy}</LinkButton> : null}
      </EmptyState>
    );
  }
  const said = w.done(progress.done, progress.total);
  const waits = isUnderWay(status) ? w.waitingTitle : words.labels.state(status);
  return (
    <section class={styles["running"]} aria-label={w.runningTitle}>
      <h2>{status === "running" ? w.runningTitle : waits}</h2>
      <Progress label={said} done={progress.done} total={progress.total} />
      <p role="status">{said}</p>
      <p class="muted">{w.runningHelp}</p>
    </section>
  );
}

function Results({ analysis }: { readonly analysis: Analysis }) {
  const { parameters, hrefWith, go } = useAddress();
  const { id, query, progress } = analysis;
  const reader = useReader(id);
  const [note, setNote] = useState("");
  const w = analysisWords.result;
  const asked = parameters.get("content") ?? "1";
  const current = /^\d{1,6}$/.test(asked) ? Number(asked) - 1 : -1;
  const isThere = current >= 0 && current < progress.total;
  const results = reader.results.value;
  const result = results[current];
  // Those of many texts come with their results.
  const contents = Array.from({ length: progress.total }, (_, at) => query.contents[at] ?? results[at]?.content);
  useEffect(() => {
    if (isThere) void reader.read(current + 1);
  }, [reader, current, isThere]);

  useReconnected(() => {
    if (isThere && reader.error.value !== undefined) void reader.read(current + 1);
  });

  const show = (index: number): void => {
    setNote("");
    go(hrefWith({ content: String(Math.max(0, Math.min(contents.length - 1, index)) + 1) }), true);
  };
  const showError = async (): Promise<void> => {
    for (let index = current + 1; index < contents.length; index++) {
      if (index >= reader.results.value.length) await reader.read(index + 1);
      const found = reader.results.value[index];
      // What could not be read is told in its place.
      if (found === undefined) return;
      if (found.error_code !== undefined && isGrave(found.error_code)) {
        show(index);
        return;
      }
    }
    setNote(w.noMoreErrors);
  };
  const isMany = contents.length > 1;
  const hasErrors = (analysis.failed_contents ?? 0) > 0;
  useKeys(
    isMany
      ? [
          { keys: "j", label: w.next, run: () => show(current + 1) },
          { keys: "k", label: w.previous, run: () => show(current - 1) },
          { keys: "Home", label: w.first, run: () => show(0) },
          { keys: "End", label: w.last, run: () => show(contents.length - 1) },
          ...(hasErrors ? [{ keys: "e", label: w.nextError, run: () => void showError() }] : []),
        ]
      : [],
  );
  return (
    <div class={isMany ? styles["results"] : undefined}>
      {isMany ? (
        <div class={styles["side"]}>
          <div class={styles["row"]}>
            <span role="status">{isThere ? w.position(current + 1, contents.length) : ""}</span>
            <Button isSmall icon="previous" label={w.previous} shortcut="k" onClick={() => show(current - 1)} />
            <Button isSmall icon="next" label={w.next} shortcut="j" onClick={() => show(current + 1)} />
            {hasErrors ? (
              <Button isSmall shortcut="e" onClick={showError}>
                {w.onlyErrors}
              </Button>
            ) : null}
          </div>
          <p class="small muted" role="status">
            {note}
          </p>
          <ContentList
            contents={contents}
            results={results}
            current={current}
            onSeen={(index) => void reader.read(index + 1)}
          />
        </div>
      ) : null}
      <div class={styles["content"]}>
        {!isThere ? (
          <EmptyState title={w.noSuchContent(asked, contents.length)} />
        ) : result !== undefined ? (
          <Query.Provider value={{ contents, contents_groups: query.contents_groups }}>
            <ContentView
              key={current}
              id={id}
              result={result}
              isUtf16={query.offsets === "utf16"}
              isExplained={query.explain === true}
            />
          </Query.Provider>
        ) : reader.error.value !== undefined ? (
          <Problem error={reader.error.value} onRetry={() => void reader.read(current + 1)} />
        ) : reader.isCanceled.value ? (
          <Canceled onRetry={() => void reader.read(current + 1)} />
        ) : (
          <Waiting height="24rem" doing={w.loadingContents(contents.length)} onCancel={() => reader.cancel()} />
        )}
      </div>
    </div>
  );
}

function useReader(id: number): ContentsReader {
  const reader = useMemo(() => new ContentsReader((cursor, signal) => readContents(id, cursor, signal)), [id]);
  useEffect(() => () => reader.end(), [reader]);
  return reader;
}
