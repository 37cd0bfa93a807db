import { useRef, useState } from "preact/hooks";
import { deleteAnalysis, useAnalyses, type AnalysesFound, type ListedAnalysis } from "../../data/analyses.js";
import { outdate } from "../../data/queries.js";
import { useMe } from "../../data/server.js";
import { Button, LinkButton } from "../../parts/button.js";
import { deleteLater, leaving } from "../../parts/deletion.js";
import { useKeys } from "../../parts/keys.js";
import { useAddress } from "../../parts/navigation.js";
import { Screen } from "../../parts/screen.js";
import { EmptyState, Load } from "../../parts/states.js";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import { AnalysisRow } from "./analysis-row.js";
import styles from "./analyses.module.css";
import { AnalysisFilters } from "./analysis-filters.js";
import { filterText } from "./filter-text.js";
import { chosenFilters, queryOf, type ChosenFilter } from "./filters.js";

/** Rows at first, and more with each "Show more". */
const STEP = 50;

/** All analyses of the company, newest first. */
export function Analyses() {
  const { parameters, go } = useAddress();
  const filters = chosenFilters(parameters);
  const mayChange = useMayChange();
  const key = filters.map(({ name, value }) => `${name}=${value}`).join("&");
  const w = analysisWords.list;
  useKeys([{ keys: "n", label: w.create, run: () => go("/analyses/new") }]);
  return (
    <Screen
      title={w.title}
      actions={
        mayChange ? (
          <LinkButton href="/analyses/new" kind="primary" icon="plus" shortcut="n">
            {w.create}
          </LinkButton>
        ) : null
      }
    >
      <AnalysisFilters filters={filters} />
      <Found key={key} filters={filters} />
    </Screen>
  );
}

function Found({ filters }: { readonly filters: readonly ChosenFilter[] }) {
  const [wanted, setWanted] = useState(STEP);
  const [looks, setLooks] = useState(0);
  const query = useAnalyses(queryOf(filters), wanted, looks);
  return (
    <Load query={query} height="24rem">
      {({ analyses, mayHaveMore }) => {
        const shown = analyses.filter(({ id }) => !leaving.value.has(recordOf(id)));
        if (shown.length === 0) {
          return <Nothing filters={filters} mayHaveMore={mayHaveMore} onLook={() => setLooks(looks + 1)} />;
        }
        return (
          <Rows
            analyses={shown}
            newestId={analyses[0]?.id ?? 0}
            more={mayHaveMore ? { isReading: query.isFetching, onMore: () => setWanted(wanted + STEP) } : undefined}
          />
        );
      }}
    </Load>
  );
}

interface RowsProps {
  readonly analyses: readonly ListedAnalysis[];
  /** Also of those that are about to be deleted, and may come back. */
  readonly newestId: number;
  readonly more: { readonly isReading: boolean; readonly onMore: () => void } | undefined;
}

/** Whether the role of the user allows more than reading. */
function useMayChange(): boolean {
  return useMe().data?.role !== "viewer";
}

/** The rows. What came in after they were shown is announced, not pushed in. */
function Rows({ analyses, newestId, more }: RowsProps) {
  const newest = useRef(newestId);
  const [, setShown] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  const known = analyses.filter(({ id }) => id <= newest.current);
  const newer = analyses.length - known.length;
  const mayChange = useMayChange();
  useListKeys(list);
  const w = analysisWords.list;
  return (
    <div class={styles["found"]}>
      <div role="status">
        {newer === 0 ? null : (
          <Button
            isSmall
            onClick={() => {
              newest.current = newestId;
              setShown(newest.current);
            }}
          >
            {words.frame.newerThere(newer)}
          </Button>
        )}
      </div>
      <ol ref={list} class={styles["list"]} aria-label={w.rows}>
        {known.map((analysis) => (
          <AnalysisRow
            key={analysis.id}
            analysis={analysis}
            onDelete={mayChange ? () => remove(analysis) : undefined}
          />
        ))}
      </ol>
      {more === undefined ? null : (
        <Button onClick={more.onMore} disabled={more.isReading}>
          {words.frame.showMore}
        </Button>
      )}
    </div>
  );
}

/** `j` and `k` move between the rows of a list, whose links have the focus. */
function useListKeys(list: { readonly current: HTMLElement | null }): void {
  const w = analysisWords.list;
  const links = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>("a[data-row]") ?? [])];
  const at = (): number => links().findIndex((link) => link === document.activeElement);
  const focus = (index: number): void =>
    links()
      .at(Math.max(0, Math.min(links().length - 1, index)))
      ?.focus();
  useKeys([
    { keys: "j", label: w.next, run: () => focus(at() + 1) },
    { keys: "k", label: w.previous, run: () => focus(at() - 1) },
    { keys: "Home", label: w.first, run: () => focus(0) },
    { keys: "End", label: w.last, run: () => focus(links().length - 1) },
  ]);
}

function remove(analysis: ListedAnalysis): void {
  deleteLater({
    record: recordOf(analysis.id),
    text: analysisWords.list.removed(analysisWords.title(analysis)),
    send: (keepalive) => deleteAnalysis(analysis.id, keepalive),
    onDone: () => outdate(["analyses"]),
  });
}

function recordOf(id: number): string {
  return `analysis/${id}`;
}

interface NothingProps {
  readonly filters: readonly ChosenFilter[];
  readonly mayHaveMore: AnalysesFound["mayHaveMore"];
  readonly onLook: () => void;
}

function Nothing({ filters, mayHaveMore, onLook }: NothingProps) {
  const { hrefWith } = useAddress();
  const w = analysisWords.list;
  if (filters.length === 0) {
    return (
      <EmptyState title={w.nothing}>
        <p>{w.nothingHelp}</p>
        <LinkButton href="/analyses/new" kind="primary" icon="plus">
          {w.create}
        </LinkButton>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={mayHaveMore ? w.noMatchYet : w.noMatch}>
      {mayHaveMore ? (
        <>
          <p>{w.noMatchYetHelp}</p>
          <Button onClick={onLook}>{w.lookFurther}</Button>
        </>
      ) : null}
      <p>{w.noMatchHelp}</p>
      <div class={styles["row"]}>
        {filters.map((filter) => (
          <LinkButton key={filter.name} isSmall href={hrefWith({ [filter.name]: undefined })}>
            {w.without(filterText(filter))}
          </LinkButton>
        ))}
      </div>
    </EmptyState>
  );
}
