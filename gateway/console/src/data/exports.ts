import type { components } from "@hourglass/client";
import type { QueryObserverResult } from "@tanstack/query-core";
import { answered, api } from "./api.js";
import { serverNow } from "./clock.js";
import { outdate, queries, useQuery } from "./queries.js";

type Schemas = components["schemas"];
export type ListedExport = Schemas["ListedExport"];
export type ExportFormat = Schemas["ExportFormat"];
export type NewExport = Schemas["NewExport"];
export type ExportPage = Schemas["ExportPage"];

export const EXPORT_FORMATS: readonly ExportFormat[] = ["csv", "json", "ndjson", "parquet"];
/** What is running is asked for often, and the longer it takes, the less often. In milliseconds. */
const FIRST_PAUSE_MS = 2_000;
const LAST_PAUSE_MS = 15_000;
const IDLE_PAUSE_MS = 60_000;

/** A page of exports, newest first. The record itself has all its postings, so only the list is read. */
export function useExports(cursor: string | undefined): QueryObserverResult<ExportPage> {
  return useQuery<ExportPage>({
    queryKey: ["exports", cursor],
    queryFn: ({ signal }) =>
      answered(
        api.GET("/api/v2/products/insight/exports", {
          params: { query: cursor === undefined ? {} : { cursor } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => pauseFor(state.data),
  });
}

/** How long to wait before a page is read again: by the youngest export that is not done. */
export function pauseFor(page: ExportPage | undefined, now = serverNow()): number {
  const running = (page?.exports ?? []).filter(({ status }) => status === "pending" || status === "running");
  if (running.length === 0) return IDLE_PAUSE_MS;
  const youngest = Math.max(...running.map(({ created_at: at }) => Date.parse(at)));
  // A tenth of its age: the clock of this computer may be wrong, but the bounds hold.
  return Math.min(LAST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, (now - youngest) / 10));
}

/** Begins an export; the same key begins the same one. */
export async function createExport(wanted: NewExport, key: string): Promise<number> {
  const created = await answered(
    api.POST("/api/v2/products/insight/exports", { params: { header: { "Idempotency-Key": key } }, body: wanted }),
  );
  await outdate(["exports"]);
  return created.id;
}

/** An address of a file of an export that works for some minutes without a token: a browser saves what it leads to. */
export async function linkOf(id: number, format: ExportFormat): Promise<string> {
  const params = { path: { id } };
  return (await answered(api.POST("/api/v2/products/insight/exports/{id}/links", { params, body: { format } }))).url;
}

export async function deleteExport(id: number, keepalive: boolean): Promise<void> {
  await api.DELETE("/api/v2/products/insight/exports/{id}", { params: { path: { id } }, keepalive });
}

/** How many postings an export will hold: those of its insights, days and filter, counted up to 10,000 each. */
export async function countPostings(wanted: NewExport): Promise<{ readonly total: number; readonly isExact: boolean }> {
  const { insight_search_ids: ids, start_date, end_date, filter } = wanted;
  const query = { ...withoutNulls(filter ?? {}), start_date, end_date, total: true, limit: 1 };
  const pages = await Promise.all(
    ids.map((id) =>
      queries.query({
        queryKey: ["postings-count", id, query],
        queryFn: ({ signal }) =>
          answered(api.GET("/api/v2/products/insight/{id}/postings", { params: { path: { id }, query }, signal })),
        staleTime: 30_000,
      }),
    ),
  );
  return {
    total: pages.reduce((sum, page) => sum + (page.total ?? 0), 0),
    isExact: pages.every((page) => page.total_is_exact !== false),
  };
}

type Filter = NonNullable<NewExport["filter"]>;
type Given<T> = { [K in keyof T]?: NonNullable<T[K]> };

function withoutNulls(filter: Filter): Given<Filter> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));
}
