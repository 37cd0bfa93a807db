import { HourglassError } from "@hourglass/client";
import type { ComponentChildren } from "preact";
import { useRoute } from "preact-iso/router";
import { useCommands } from "../../data/commands.js";
import { addressOf, onlyFilters, withPeriod, withSingle } from "../../data/filters.js";
import { nameOf, platformsInTrouble, useInsight, type Insight } from "../../data/insights.js";
import { spanOf, dayOf, type Period } from "../../data/periods.js";
import { Button, LinkButton } from "../../parts/button.js";
import { Chip } from "../../parts/chip.js";
import { Menu } from "../../parts/menu.js";
import { useAddress } from "../../parts/navigation.js";
import { Screen } from "../../parts/screen.js";
import { EmptyState, Load } from "../../parts/states.js";
import { Tabs } from "../../parts/tabs.js";
import { words } from "../../words/words.js";
import { NotFound } from "../not-found/not-found.js";
import { useInsightActions } from "./insight-actions.js";
import { StateChip } from "./state-chip.js";

export type InsightTab = "overview" | "postings" | "collection";

export interface InsightScreenProps {
  readonly tab: InsightTab;
  /** What is shown of the insight; the export begins with it. */
  readonly period: Period;
  readonly children: (insight: Insight) => ComponentChildren;
}

/** The head of every screen of one insight: its name and state, what can be done with it, and its parts. */
export function InsightScreen({ tab, period, children }: InsightScreenProps) {
  const { params } = useRoute();
  const id = Number(params["id"]);
  if (!Number.isSafeInteger(id) || id <= 0) return <NotFound />;
  return (
    <Known key={id} id={id} tab={tab} period={period}>
      {children}
    </Known>
  );
}

function Known({ id, tab, period, children }: InsightScreenProps & { readonly id: number }) {
  const insight = useInsight(id);
  const { data, error } = insight;
  if (error instanceof HourglassError && error.status === 404) return <Gone />;
  return (
    <Screen
      title={data === undefined ? words.insights.one : nameOf(data)}
      beside={data === undefined ? null : <State insight={data} />}
      actions={data === undefined ? null : <Actions insight={data} period={period} />}
    >
      <InsightTabs id={id} tab={tab} />
      <Load query={insight} height="60vh">
        {children}
      </Load>
    </Screen>
  );
}

/** An insight that was deleted, or that belongs to somebody else: the server does not say which. */
function Gone() {
  return (
    <Screen title={words.frame.noSuchPage}>
      <EmptyState title={words.problems.gone}>
        <LinkButton href="/insights">{words.insights.backToList}</LinkButton>
      </EmptyState>
    </Screen>
  );
}

/** The parts of an insight. The filters of the address stay from one to the other. */
function InsightTabs({ id, tab }: { readonly id: number; readonly tab: InsightTab }) {
  const { parameters } = useAddress();
  const kept = onlyFilters(parameters);
  const { overview, postings, collection } = words.insights;
  const at = {
    overview: `/insights/${id}`,
    postings: `/insights/${id}/postings`,
    collection: `/insights/${id}/collection`,
  };
  return (
    <Tabs
      label={words.insights.tabs}
      tabs={(
        [
          ["overview", overview],
          ["postings", postings],
          ["collection", collection],
        ] as const
      ).map(([name, label]) => ({
        href: addressOf(at[name], kept),
        label,
        isCurrent: name === tab,
      }))}
    />
  );
}

function State({ insight }: { readonly insight: Insight }) {
  const { id, unanalysed_count: waiting } = insight;
  const trouble = platformsInTrouble(insight);
  return (
    <>
      <StateChip insight={insight} />
      {trouble.length === 0 ? null : (
        <Chip
          tone="danger"
          href={`/insights/${id}/collection`}
          title={trouble.map(({ platform }) => words.labels.platform(platform)).join(", ")}
        >
          ▲ {words.insights.trouble(trouble.length)}
        </Chip>
      )}
      {waiting === 0 ? null : <span class="muted small">{words.insights.stillAnalyzed(waiting)}</span>}
    </>
  );
}

function Actions({ insight, period }: { readonly insight: Insight; readonly period: Period }) {
  const { id } = insight;
  const { parameters, go } = useAddress();
  const { start, end } = spanOf(period);
  const days = { from: dayOf(start), to: dayOf(end - 1) };
  const wanted = withSingle(withPeriod(onlyFilters(parameters), days), "interval", undefined);
  const exportHref = addressOf("/exports", new URLSearchParams([["new", "1"], ["insight", String(id)], ...wanted]));
  const { mayChange, isPaused, canPause, toggle, copyHref, remove } = useInsightActions(insight);
  const { insights, keys } = words;
  const leave = (): void => {
    remove();
    go("/insights");
  };
  const pause = { id: "pause", group: keys.actions, label: isPaused ? insights.resume : insights.pause };
  useCommands([
    ...(mayChange && canPause ? [{ ...pause, run: () => void toggle() }] : []),
    { id: "export", group: keys.actions, label: insights.export, href: exportHref },
    ...(mayChange
      ? [
          { id: "copy", group: keys.actions, label: insights.copy, href: copyHref },
          { id: "delete", group: keys.actions, label: insights.remove, run: leave },
        ]
      : []),
  ]);
  return (
    <>
      {mayChange && canPause ? (
        <Button icon={isPaused ? "play" : "pause"} onClick={toggle}>
          {isPaused ? insights.resume : insights.pause}
        </Button>
      ) : null}
      <LinkButton href={exportHref} icon="exports">
        {insights.export}
      </LinkButton>
      {mayChange ? (
        <Menu
          label={insights.more}
          items={[
            { label: insights.copy, icon: "copy", href: copyHref },
            { label: insights.remove, icon: "trash", isDangerous: true, onSelect: leave },
          ]}
        />
      ) : null}
    </>
  );
}
