import { useEffect, useRef, useState } from "preact/hooks";
import { Sparkline } from "../../charts/sparkline.js";
import { serverNow } from "../../data/clock.js";
import { addressOf } from "../../data/filters.js";
import {
  readListView,
  SORTS,
  STATUSES,
  useInsightList,
  useLately,
  type InsightSort,
  type ListView,
} from "../../data/insight-list.js";
import { nameOf, platformsInTrouble, type Insight, type InsightStatus } from "../../data/insights.js";
import { useMe } from "../../data/server.js";
import { LinkButton } from "../../parts/button.js";
import { Chip } from "../../parts/chip.js";
import { leaving } from "../../parts/deletion.js";
import { Select } from "../../parts/field.js";
import { useKeys } from "../../parts/keys.js";
import { Menu } from "../../parts/menu.js";
import { useAddress } from "../../parts/navigation.js";
import { Screen } from "../../parts/screen.js";
import { EmptyState, Load } from "../../parts/states.js";
import { Form } from "../../parts/form.js";
import { number } from "../../words/numbers.js";
import { ago, moment } from "../../words/times.js";
import { words } from "../../words/words.js";
import { useInsightActions } from "../insight/insight-actions.js";
import { StateChip } from "../insight/state-chip.js";
import styles from "./insights.module.css";

/** All insights of the company, what is new in each, and what is in trouble. */
export function Insights() {
  const { parameters, go, hrefWith } = useAddress();
  const view = readListView(parameters);
  const list = useInsightList(view);
  const mayCreate = useMe().data?.role !== "viewer";
  useKeys(mayCreate ? [{ keys: "n", label: words.insights.create, run: () => go("/insights/new") }] : []);
  const next = list.data?.next_cursor ?? undefined;
  return (
    <Screen
      title={words.insights.title}
      actions={
        mayCreate ? (
          <LinkButton href="/insights/new" kind="primary" icon="plus" label={words.insights.create} shortcut="n">
            {words.insights.create}
          </LinkButton>
        ) : null
      }
    >
      <Filters view={view} />
      <Load query={list} height="30rem">
        {({ insights }) => {
          const shown = insights.filter(({ id }) => !leaving.value.has(`insight/${id}`));
          if (shown.length === 0) return <None view={view} mayCreate={mayCreate} />;
          return <Rows insights={shown} />;
        }}
      </Load>
      {view.cursor === undefined && next === undefined ? null : (
        <nav class={styles["pages"]} aria-label={words.insights.pages}>
          {view.cursor === undefined ? null : (
            <LinkButton href={hrefWith({ cursor: undefined })}>{words.insights.firstPage}</LinkButton>
          )}
          {next === undefined ? null : (
            <LinkButton href={hrefWith({ cursor: next })}>{words.insights.nextPage}</LinkButton>
          )}
        </nav>
      )}
    </Screen>
  );
}

/** State, words and order, all of them in the address. */
function Filters({ view }: { readonly view: ListView }) {
  const { go, hrefWith } = useAddress();
  const [text, setText] = useState(view.q ?? "");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setText(view.q ?? ""), [view.q]);
  useKeys([{ keys: "/", label: words.keys.search, run: () => field.current?.focus() }]);
  const { insights, labels } = words;
  return (
    <Form
      class={styles["filters"]}
      isSearch
      onSubmit={() => {
        // Single keys act again.
        field.current?.blur();
        go(hrefWith({ q: text.trim(), cursor: undefined }));
      }}
    >
      <label class={styles["words"]}>
        <span>{insights.words}</span>
        <input
          ref={field}
          type="search"
          value={text}
          title={`${insights.words} (/)`}
          autoComplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            setText(view.q ?? "");
            field.current?.blur();
          }}
        />
      </label>
      <Select
        label={insights.state}
        value={view.status ?? "all"}
        options={[
          { value: "all", label: insights.allStates },
          ...STATUSES.map((value) => ({ value, label: labels.state(value) })),
        ]}
        onChange={(value: InsightStatus | "all") =>
          go(hrefWith({ status: value === "all" ? undefined : value, cursor: undefined }))
        }
      />
      <Select
        label={insights.order}
        value={view.sort ?? "created_at"}
        options={SORTS.map((value) => ({ value, label: insights.orders[value] }))}
        onChange={(value: InsightSort) =>
          go(hrefWith({ sort: value === "created_at" ? undefined : value, cursor: undefined }))
        }
      />
    </Form>
  );
}

/** Why there is nothing, and the next step. */
function None({ view, mayCreate }: { readonly view: ListView; readonly mayCreate: boolean }) {
  const { insights } = words;
  if (view.q !== undefined || view.status !== undefined || view.cursor !== undefined) {
    return (
      <EmptyState title={insights.noneMatches}>
        <LinkButton href={addressOf("/insights", new URLSearchParams())}>{insights.showAll}</LinkButton>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={insights.none}>
      <p>{insights.whatIsOne}</p>
      {mayCreate ? (
        <LinkButton href="/insights/new" kind="primary" icon="plus">
          {insights.create}
        </LinkButton>
      ) : null}
    </EmptyState>
  );
}

function Rows({ insights }: { readonly insights: readonly Insight[] }) {
  const table = useRef<HTMLTableElement>(null);
  const move = (to: (at: number, last: number) => number): void => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>("[data-name]") ?? [])];
    const row = document.activeElement?.closest("tr");
    const at = links.findIndex((link) => link.closest("tr") === row);
    links[Math.max(0, Math.min(links.length - 1, to(at, links.length - 1)))]?.focus();
  };
  useKeys([
    { keys: "j", label: words.insights.next, run: () => move((at) => at + 1) },
    { keys: "k", label: words.insights.previous, run: () => move((at) => at - 1) },
    { keys: "Home", label: words.insights.first, run: () => move(() => 0) },
    { keys: "End", label: words.insights.last, run: () => move((_, last) => last) },
  ]);
  const { columns } = words.insights;
  return (
    <table class={styles["table"]} ref={table}>
      <caption class="sr-only">{words.insights.title}</caption>
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.state}</th>
          <th scope="col" class={styles["end"]}>
            {columns.postings}
          </th>
          <th scope="col" class={styles["end"]}>
            {columns.fresh}
          </th>
          <th scope="col" class={styles["days"]}>
            {columns.days}
          </th>
          <th scope="col">{columns.success}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {insights.map((insight) => (
          <Row key={insight.id} insight={insight} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ insight }: { readonly insight: Insight }) {
  const { id, name, terms, query, posting_count: postings, unanalysed_count: waiting, platforms } = insight;
  const { insights, labels } = words;
  const { columns } = insights;
  const lately = useLately(id).data;
  const trouble = platformsInTrouble(insight);
  const success = platforms
    .flatMap(({ last_success_at: at }) => at ?? [])
    .sort()
    .at(-1);
  return (
    <tr>
      <th scope="row">
        <a href={`/insights/${id}`} data-name>
          <bdi>{nameOf(insight)}</bdi>
        </a>
        <div class={styles["query"]}>
          {name === undefined ? null : <bdi>{terms === "" ? query.keywords : terms}</bdi>}
          <span>{platforms.map(({ platform }) => labels.platform(platform)).join(", ")}</span>
        </div>
      </th>
      <td data-label={columns.state}>
        <div class={styles["states"]}>
          <StateChip insight={insight} />
          {trouble.map(({ platform, state }) => (
            <Chip key={platform} tone="danger" href={`/insights/${id}/collection`}>
              ▲ {insights.troubleOf(labels.platform(platform), words.platformStates[state] ?? state)}
            </Chip>
          ))}
        </div>
      </td>
      <td data-label={columns.postings} class={styles["end"]}>
        <a href={`/insights/${id}/postings`}>{number(postings)}</a>
        {waiting === 0 ? null : <div class="muted small">{insights.stillAnalyzed(waiting)}</div>}
      </td>
      <td data-label={columns.fresh} class={styles["end"]}>
        {lately === undefined ? (
          ""
        ) : (
          <a href={`/insights/${id}/postings?from=${lastDay()}`}>{insights.plus(lately.newPostings)}</a>
        )}
      </td>
      <td data-label={columns.days} class={styles["days"]}>
        {lately === undefined ? null : (
          <Sparkline values={lately.days} label={insights.daysSentence(lately.days)} isLastOpen />
        )}
      </td>
      <td data-label={columns.success}>
        {success === undefined ? (
          <span class="muted">{insights.noSuccess}</span>
        ) : (
          <time dateTime={success} title={moment(success)}>
            {ago(success)}
          </time>
        )}
      </td>
      <td class={styles["end"]}>
        <RowMenu insight={insight} />
      </td>
    </tr>
  );
}

/** The hour 24 hours ago, as addresses name it. */
function lastDay(): string {
  return new Date(serverNow() - 86_400_000).toISOString().slice(0, 13);
}

function RowMenu({ insight }: { readonly insight: Insight }) {
  const { mayChange, canPause, isPaused, toggle, copyHref, remove } = useInsightActions(insight);
  const { insights } = words;
  if (!mayChange) return null;
  return (
    <Menu
      label={insights.actionsOf(nameOf(insight))}
      items={[
        ...(canPause
          ? [
              {
                label: isPaused ? insights.resume : insights.pause,
                icon: isPaused ? ("play" as const) : ("pause" as const),
                onSelect: () => void toggle(),
              },
            ]
          : []),
        { label: insights.copy, icon: "copy", href: copyHref },
        { label: insights.remove, icon: "trash", isDangerous: true, onSelect: remove },
      ]}
    />
  );
}
