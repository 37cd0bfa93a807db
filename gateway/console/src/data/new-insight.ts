import { HourglassError, type components, type FieldError } from "@hourglass/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { answered, api } from "./api.js";
import { outdate, useQuery } from "./queries.js";

type Schemas = components["schemas"];
export type NewInsight = Schemas["NewInsight"];
export type InsightCheck = Schemas["InsightCheck"];
export type PlatformPlan = Schemas["PlatformPlan"];
export type Insight = Schemas["Insight"];

/** How long after the last change a search is checked. In milliseconds. */
const CHECK_AFTER_MS = 300;
/** How often a preview is asked whether it has ended. In milliseconds. */
const PREVIEW_MS = 1_500;

/** A mistake in a field; of keywords, also where it is: in UTF-16 units, `end` exclusive. */
export interface PlacedError extends FieldError {
  readonly start?: number;
  readonly end?: number;
}

export interface Checked {
  /** The last answer without a mistake. */
  readonly plan: InsightCheck | undefined;
  /** Why there is none for what is typed now. */
  readonly error: unknown;
  /** Whether `plan` belongs to what is typed now. */
  readonly isCurrent: boolean;
}

/** What a search would do, a moment after it was changed. The last good answer stays while a new one is asked for. */
export function useCheck(wanted: NewInsight | undefined): Checked {
  const typed = wanted === undefined ? undefined : JSON.stringify(wanted);
  const asked = useDelayed(typed);
  const last = useRef<InsightCheck>(undefined);
  const { data, error, isSuccess } = useQuery<InsightCheck>({
    queryKey: ["insight-check", asked],
    queryFn: ({ signal }) =>
      answered(api.POST("/api/v2/products/insight/check", { body: JSON.parse(asked ?? "{}") as NewInsight, signal })),
    enabled: asked !== undefined,
    staleTime: 60_000,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  });
  if (typed === undefined) last.current = undefined;
  else if (data !== undefined) last.current = data;
  return { plan: last.current, error: asked === undefined ? null : error, isCurrent: asked === typed && isSuccess };
}

function useDelayed(value: string | undefined): string | undefined {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), CHECK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return delayed;
}

/** The mistakes that an answer names in a field, or in its entries. */
export function mistakesIn(error: unknown, field: string): readonly PlacedError[] {
  if (!(error instanceof HourglassError)) return [];
  return error.details.filter((detail) => detail.field === field || detail.field.startsWith(`${field}[`));
}

/** What in the keywords is read otherwise than it may be meant: in UTF-16 units, with the whole keywords without it. */
export interface KeywordAdvice {
  readonly message: string;
  readonly start: number;
  readonly end: number;
  readonly fix: string | undefined;
}

/** What a check says of places in the keywords. */
export function adviceIn(plan: InsightCheck | undefined): readonly KeywordAdvice[] {
  return (plan?.warnings ?? []).flatMap(({ message, start, end, fix }) =>
    start === null || end === null ? [] : [{ message, start, end, fix: fix ?? undefined }],
  );
}

/** What a check says of the search as a whole. */
export function warningsIn(plan: InsightCheck | undefined): readonly string[] {
  return (plan?.warnings ?? []).flatMap(({ message, start }) => (start === null ? [message] : []));
}

/** Creates an insight; the same key creates the same one. */
export async function createInsight(wanted: NewInsight, key: string): Promise<number> {
  const header = { "Idempotency-Key": key };
  const { response } = await api.POST("/api/v2/products/insight", { params: { header }, body: wanted });
  const id = Number(response.headers.get("location")?.split("/").at(-1));
  if (!Number.isInteger(id)) throw new Error("The server does not say where the new insight is.");
  await outdate(["insights"]);
  return id;
}

/** Whether a preview has collected and analyzed all that it will. */
export function hasEnded({ status, unanalysed_count: waiting }: Insight): boolean {
  return status !== "running" && (waiting === 0 || status === "failed");
}

/** A preview, read again until it has ended. */
export function usePreview(id: number | undefined) {
  return useQuery<Insight>({
    queryKey: ["insight", id],
    queryFn: ({ signal }) => readInsight(id ?? 0, signal),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data !== undefined && hasEnded(state.data) ? false : PREVIEW_MS),
  });
}

/** An insight that is copied. */
export function useSource(id: number | undefined) {
  return useQuery<Insight>({
    queryKey: ["insight", id],
    queryFn: ({ signal }) => readInsight(id ?? 0, signal),
    enabled: id !== undefined,
  });
}

function readInsight(id: number, signal: AbortSignal): Promise<Insight> {
  return answered(api.GET("/api/v2/products/insight/{id}", { params: { path: { id } }, signal }));
}

/** Postings of a preview that are shown. */
const PREVIEWED_MAX = 100;

/** The newest postings of a preview, read again as they come. */
export function usePreviewPostings(insight: Insight | undefined) {
  const id = insight?.id;
  return useQuery<Schemas["PostingPage"]>({
    queryKey: ["preview-postings", id, insight?.posting_count, insight?.unanalysed_count],
    queryFn: ({ signal }) =>
      answered(
        api.GET("/api/v2/products/insight/{id}/postings", {
          params: { path: { id: id ?? 0 }, query: { limit: PREVIEWED_MAX } },
          signal,
        }),
      ),
    enabled: id !== undefined,
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
  });
}
