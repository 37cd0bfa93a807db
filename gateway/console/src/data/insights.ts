import type { components } from "@hourglass/client";
import type { QueryObserverResult } from "@tanstack/query-core";
import { answered, api } from "./api.js";
import { every, outdate, queries, useQuery } from "./queries.js";

export type Insight = components["schemas"]["Insight"];
export type InsightStatus = components["schemas"]["InsightStatus"];

/** How often an insight that is looked at is read again. In milliseconds. */
export const INSIGHT_MS = 15_000;

/** What people call an insight: its name or, without one, what it searches for. */
export function nameOf({ name, terms, query }: Pick<Insight, "name" | "terms" | "query">): string {
  return name ?? (terms === "" ? query.keywords : terms);
}

/** The state of a platform in which it collects nothing, and of which somebody should know. */
const TROUBLE: ReadonlySet<string> = new Set(["not_configured", "auth_failed", "failing", "stalled"]);

/** The platforms of an insight that collect nothing although they should. */
export function platformsInTrouble({ platforms, status }: Pick<Insight, "platforms" | "status">): Insight["platforms"] {
  return status === "completed" ? [] : platforms.filter(({ state }) => TROUBLE.has(state));
}

/** Postings of each step; null where nothing was collected: it is not known that nothing was posted. */
export function postingsByStep({ series }: Pick<components["schemas"]["Summary"], "series">): (number | null)[] {
  return series.map(({ completeness, postings }) => (completeness === "unknown" && postings === 0 ? null : postings));
}

/** An insight, read again while it is shown. */
export function useInsight(id: number): QueryObserverResult<Insight> {
  return useQuery<Insight>({
    queryKey: ["insight", id],
    queryFn: ({ signal }) => answered(api.GET("/api/v2/products/insight/{id}", { params: { path: { id } }, signal })),
    refetchInterval: every(INSIGHT_MS),
  });
}

/** Stops the collection, or continues it. */
export async function setPaused(id: number, isPaused: boolean): Promise<void> {
  const params = { path: { id } };
  await (isPaused
    ? api.PUT("/api/v2/products/insight/{id}/pause", { params })
    : api.PUT("/api/v2/products/insight/{id}/resume", { params }));
  await outdate(["insight", id], ["insights"]);
}

/** Erases an insight with its postings. `keepalive`: the page may be gone before it is answered. */
export async function deleteInsight(id: number, keepalive: boolean): Promise<void> {
  await api.DELETE("/api/v2/products/insight/{id}", { params: { path: { id } }, keepalive });
  queries.removeQueries({ queryKey: ["insight", id] });
  await outdate(["insights"]);
}
