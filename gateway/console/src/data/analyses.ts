import type { components, operations } from "@hourglass/client";
import { keepPreviousData, type QueryObserverResult } from "@tanstack/query-core";
import { useRef } from "preact/hooks";
import { answered, api, hourglass } from "./api.js";
import { every, outdate, useQuery } from "./queries.js";
import { offerRecords } from "./records.js";
import { isUnderWay } from "./running.js";
import { analysisWords } from "../words/analyses.js";

type Schemas = components["schemas"];
export type Analysis = Schemas["Operation"];
export type ListedAnalysis = Schemas["ListedOperation"];
export type NewAnalysis = Schemas["NewOperation"];
export type ContentResult = Schemas["OperationContent"];
export type Found = Schemas["Analysis"];
export type AnalysisQuery = Omit<NonNullable<operations["listOperations"]["parameters"]["query"]>, "cursor" | "limit">;

const OPERATIONS = "/api/v2/products/api/operations";
const ONE = `${OPERATIONS}/{id}`;
/** How often lists are read again. In milliseconds. */
const LIST_MS = 15_000;
/** While something runs that the list shows. In milliseconds. */
const RUNNING_LIST_MS = 6_000;
/** Entries of a page of the API at most. */
const PAGE_MAX = 200;
/** Pages that one look at a filtered list reads: each looks through 1,000 analyses, and may find none. */
const LOOKS_MAX = 5;
/** Contents of a page: with explanations some kB each. */
const CONTENTS_PAGE = 50;

export function hasEnded(status: string): boolean {
  return status === "done" || status === "failed" || status === "invalid";
}

/** Analyses as far as they were looked for. */
export interface AnalysesFound {
  readonly analyses: readonly ListedAnalysis[];
  /** More may follow: there are more, or the search has not looked at all yet. */
  readonly mayHaveMore: boolean;
}

/** The newest analyses that match, at least `wanted` if there are so many; `looks` more pages are looked through if none is found. */
export function useAnalyses(query: AnalysisQuery, wanted: number, looks: number): QueryObserverResult<AnalysesFound> {
  return useQuery<AnalysesFound>({
    queryKey: ["analyses", query, wanted, looks],
    queryFn: ({ signal }) => readAnalyses({ query, wanted, looksMax: LOOKS_MAX * (1 + looks), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: (asked) => {
      const isRunning = asked.state.data?.analyses.some(({ status }) => !hasEnded(status)) ?? false;
      return every(isRunning ? RUNNING_LIST_MS : LIST_MS)(asked);
    },
  });
}

offerRecords("analyses", (data) =>
  (data as AnalysesFound).analyses.map((analysis) => ({
    href: `/analyses/${analysis.id}`,
    label: analysisWords.title(analysis),
    kind: analysisWords.one,
  })),
);

interface Search {
  readonly query: AnalysisQuery;
  readonly wanted: number;
  readonly looksMax: number;
  readonly signal: AbortSignal;
}

async function readAnalyses({ query, wanted, looksMax, signal }: Search): Promise<AnalysesFound> {
  const analyses: ListedAnalysis[] = [];
  let cursor: { readonly cursor?: string } = {};
  for (let looks = 0; ; looks++) {
    const limit = Math.min(PAGE_MAX, wanted - analyses.length);
    const page = await answered(api.GET(OPERATIONS, { params: { query: { ...query, ...cursor, limit } }, signal }));
    analyses.push(...page.operations);
    const { next_cursor: next } = page;
    if (next === null || analyses.length >= wanted || looks >= looksMax)
      return { analyses, mayHaveMore: next !== null };
    cursor = { cursor: next };
  }
}

/** An analysis without its results. While it runs, the server holds its answers, first for moments and then for long. */
export function useAnalysis(id: number): QueryObserverResult<Analysis> {
  const asked = useRef(0);
  return useQuery<Analysis>({
    queryKey: ["analysis", id],
    queryFn: ({ signal }) => {
      const wait = waitSeconds(asked.current++);
      const query = { data: false, ...(wait === 0 ? {} : { wait }) };
      return answered(api.GET(ONE, { params: { path: { id }, query }, signal }));
    },
    refetchInterval: (query) => {
      if (query.state.data !== undefined && hasEnded(query.state.data.status)) return false;
      // While it is unfinished, the answer itself was waited for.
      const isHeld = isUnderWay(query.state.data?.status ?? "ready") && query.state.error === null;
      return isHeld ? 100 : every(LIST_MS)(query);
    },
  });
}

/** How long the server is asked to hold the next answer: progress is seen soon at first, and an idle tab asks three times a minute. */
function waitSeconds(asked: number): number {
  if (asked === 0) return 0;
  return asked <= 5 ? 3 : 20;
}

/** A page of contents with their results. */
export interface ContentsPage {
  readonly contents: readonly ContentResult[];
  readonly next: string | null;
}

/** Reads a page of the results of an analysis that is done; `cursor`: that of the page before. */
export async function readContents(id: number, cursor: string | undefined, signal: AbortSignal): Promise<ContentsPage> {
  const query = { limit: CONTENTS_PAGE, ...(cursor === undefined ? {} : { cursor }) };
  const { contents, next_cursor: next } = await answered(
    api.GET(`${ONE}/contents`, { params: { path: { id }, query }, signal }),
  );
  return { contents, next };
}

/** All of an analysis, as the interface gives it. */
export function readWholeAnalysis(id: number, signal?: AbortSignal): Promise<Analysis> {
  return answered(api.GET(ONE, { params: { path: { id } }, ...(signal && { signal }) }));
}

/** An analysis with all of its contents, which is read once. */
export function useWholeAnalysis(id: number): QueryObserverResult<Analysis> {
  return useQuery<Analysis>({
    queryKey: ["whole-analysis", id],
    queryFn: ({ signal }) => readWholeAnalysis(id, signal),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** Creates an analysis and returns its id. With the same key, a repetition returns the same. */
export async function createAnalysis(analysis: NewAnalysis, idempotencyKey: string): Promise<number> {
  const id = await hourglass.createOperation(analysis, idempotencyKey);
  await outdate(["analyses"], ["unused-files"]);
  return id;
}

/** Deletes an analysis with its files. */
export async function deleteAnalysis(id: number, keepalive: boolean): Promise<void> {
  await api.DELETE(ONE, { params: { path: { id } }, keepalive });
}
