import type { components } from "@hourglass/client";
import { keepPreviousData, type QueryObserverResult } from "@tanstack/query-core";
import { answered, api } from "./api.js";
import { queryForApi, type Filters } from "./filters.js";
import type { Interval, Period } from "./periods.js";
import { useQuery } from "./queries.js";

type Schemas = components["schemas"];
export type Summary = Schemas["Summary"];
export type PostingCounts = Schemas["PostingCounts"];
export type Breakdown = Schemas["Breakdown"];
export type Spike = Schemas["Spike"];

/** So many values of each list are read: a table has them all, a figure begins with the first. */
const TOP = 50;

/** What is looked at of an insight. */
export interface View {
  readonly id: number;
  readonly filters: Filters;
  readonly period: Period;
  readonly interval: Interval;
}

/** The counts of an insight. They are read again when somebody asks for it: numbers that are looked at do not change by themselves. */
export function useSummary({ id, filters, period, interval }: View): QueryObserverResult<Summary> {
  const query = { ...queryForApi(filters, period), interval, top: TOP };
  return useQuery<Summary>({
    queryKey: ["insight", id, "summary", query],
    queryFn: ({ signal }) =>
      answered(api.GET("/api/v2/products/insight/{id}/summary", { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
}

/** How many postings the period has without filters, and how many the spam filter hides. */
export interface Hidden {
  readonly all: number;
  /** Undefined: spam is not hidden. */
  readonly spam: number | undefined;
  readonly isSpamExact: boolean;
}

/** What the filters hide; nothing is asked without any. */
export function useHidden({ id, filters, period }: Omit<View, "interval">, isFiltered: boolean): Hidden | undefined {
  const times = queryForApi({ lists: {}, unknown: [] }, period);
  const spam = queryForApi({ ...filters, spam: "only" }, period);
  const hidesSpam = filters.spam === "hide";
  const { data } = useQuery<Hidden>({
    queryKey: ["insight", id, "hidden", times, hidesSpam ? spam : undefined],
    queryFn: async ({ signal }) => {
      const path = { id };
      const [whole, hidden] = await Promise.all([
        answered(
          api.GET("/api/v2/products/insight/{id}/summary", {
            params: { path, query: { ...times, interval: "month", top: 1 } },
            signal,
          }),
        ),
        hidesSpam
          ? answered(
              api.GET("/api/v2/products/insight/{id}/postings", {
                params: { path, query: { ...spam, limit: 1, total: true } },
                signal,
              }),
            )
          : undefined,
      ]);
      return { all: whole.totals.postings, spam: hidden?.total, isSpamExact: hidden?.total_is_exact ?? true };
    },
    enabled: isFiltered,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  return isFiltered ? data : undefined;
}

/** How far back unusual days are judged by. In days. */
const HISTORY_DAYS = 56;

/** For which spans the collection was complete, for as long before a moment as unusual days are judged by. */
export function useHistory(id: number, end: string, isWanted: boolean): Schemas["Coverage"] | undefined {
  const end_date = end.slice(0, 10);
  const start_date = new Date(Date.parse(end_date) - HISTORY_DAYS * 86_400_000).toISOString().slice(0, 10);
  const { data } = useQuery<Schemas["Coverage"]>({
    queryKey: ["insight", id, "history", end_date],
    queryFn: ({ signal }) =>
      answered(
        api.GET("/api/v2/products/insight/{id}/coverage", {
          params: { path: { id }, query: { start_date, end_date } },
          signal,
        }),
      ),
    enabled: isWanted,
    staleTime: 300_000,
  });
  return data;
}
