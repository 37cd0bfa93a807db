import type { components } from "@hourglass/client";
import type { QueryObserverResult } from "@tanstack/query-core";
import { answered, api } from "./api.js";
import { serverNow } from "./clock.js";
import { INSIGHT_MS, nameOf, type Insight, type InsightStatus, postingsByStep } from "./insights.js";
import { DAY_MS, dayOf, HOUR_MS } from "./periods.js";
import { every, useQuery } from "./queries.js";
import { offerRecords } from "./records.js";
import { words } from "../words/words.js";

export type InsightSort = components["schemas"]["InsightSort"];
export type InsightPage = components["schemas"]["InsightPage"];

export const STATUSES: readonly InsightStatus[] = ["running", "paused", "completed", "failed"];
export const SORTS: readonly InsightSort[] = ["created_at", "activity", "postings", "name"];

/** Rows of a page of the list. Each takes two requests for what is new, so there are not too many. */
const ROWS = 20;
/** So many of these requests are under way at the same time; the others wait. */
const AT_ONCE = 3;
/** How long it is known what is new. In milliseconds. */
const NEW_MS = 300_000;
const DAYS = 14;

/** What of the list is looked at, as the address says. */
export interface ListView {
  readonly status: InsightStatus | undefined;
  readonly q: string | undefined;
  readonly sort: InsightSort | undefined;
  readonly cursor: string | undefined;
}

/** Reads the list's part of an address. A value that is not known has no effect. */
export function readListView(parameters: URLSearchParams): ListView {
  const text = (name: string): string | undefined => parameters.get(name)?.trim() || undefined;
  return {
    status: STATUSES.find((status) => status === text("status")),
    q: text("q"),
    sort: SORTS.find((sort) => sort === text("sort")),
    cursor: text("cursor"),
  };
}

/** A page of insights. */
export function useInsightList(view: ListView): QueryObserverResult<InsightPage> {
  const query = Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined));
  return useQuery<InsightPage>({
    queryKey: ["insights", "page", query],
    queryFn: ({ signal }) =>
      answered(api.GET("/api/v2/products/insight", { params: { query: { ...query, limit: ROWS } }, signal })),
    refetchInterval: every(INSIGHT_MS),
  });
}

offerRecords("insights", (data) =>
  listedIn(data).map((insight) => ({
    href: `/insights/${insight.id}`,
    label: nameOf(insight),
    kind: words.insights.one,
  })),
);

/** Some screens read a page, others all insights. */
function listedIn(data: unknown): readonly Insight[] {
  return Array.isArray(data) ? (data as Insight[]) : (data as InsightPage).insights;
}

/** What happened lately in an insight. */
export interface Lately {
  /** Postings of each of the last days; null: not collected. */
  readonly days: readonly (number | null)[];
  /** Posted within 24 hours. */
  readonly newPostings: number;
}

/** The last days of an insight. Not read again by itself: a list that is left open asks for little. */
export function useLately(id: number): QueryObserverResult<Lately> {
  return useQuery<Lately>({
    queryKey: ["insight", id, "lately"],
    queryFn: ({ signal }) => inTurn(() => readLately(id, signal)),
    staleTime: NEW_MS,
    refetchOnWindowFocus: false,
  });
}

async function readLately(id: number, signal: AbortSignal): Promise<Lately> {
  const now = serverNow();
  const path = { id };
  // Summaries begin with whole hours.
  const start = new Date(Math.floor(now / HOUR_MS) * HOUR_MS - DAY_MS).toISOString();
  const days = { start_date: dayOf(now - (DAYS - 1) * DAY_MS), end_date: dayOf(now + DAY_MS) };
  const [series, fresh] = await Promise.all([
    answered(
      api.GET("/api/v2/products/insight/{id}/summary", {
        params: { path, query: { ...days, interval: "day", top: 1 } },
        signal,
      }),
    ),
    answered(
      api.GET("/api/v2/products/insight/{id}/summary", {
        params: { path, query: { start, interval: "day", top: 1 } },
        signal,
      }),
    ),
  ]);
  return {
    days: postingsByStep(series),
    newPostings: fresh.totals.postings,
  };
}

let running = 0;
const waiting: (() => void)[] = [];

/** Lets few of these requests be under way at once: the screen's own ones come first. */
async function inTurn<T>(read: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await read();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}
