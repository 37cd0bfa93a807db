import { MEDIA_ANALYSES, TEXT_ANALYSES } from "../../data/analysis-types.js";
import type { AnalysisQuery } from "../../data/analyses.js";

/** What a list of analyses can be narrowed by, as the address names it. */
export const FILTERS = ["q", "type", "status", "analysis", "from", "to"] as const;
export type FilterName = (typeof FILTERS)[number];

export const TYPES = ["text", "file"] as const;
export const STATUSES = ["ready", "pending", "running", "done", "failed", "invalid"] as const;
export const ANALYSES = [...TEXT_ANALYSES, ...MEDIA_ANALYSES] as const;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;
/** Characters that the interface takes as `q`. */
const WORDS_MAX = 200;

export interface ChosenFilter {
  readonly name: FilterName;
  readonly value: string;
  /** Not known to this version: it is shown, and has no effect. */
  readonly isUnknown: boolean;
}

/** The filters of an address, in the order of FILTERS. */
export function chosenFilters(parameters: URLSearchParams): ChosenFilter[] {
  const from = parameters.get("from") ?? "";
  return FILTERS.flatMap((name) => {
    const value = parameters.get(name) ?? "";
    // A last day before the first one means nothing.
    const isTurnedAround = name === "to" && isKnown("from", from) && value < from;
    return value === "" ? [] : [{ name, value, isUnknown: isTurnedAround || !isKnown(name, value) }];
  });
}

function isKnown(name: FilterName, value: string): boolean {
  if (name === "q") return true;
  if (name === "from" || name === "to") return DAY.test(value) && !Number.isNaN(Date.parse(value));
  return { type: TYPES, status: STATUSES, analysis: ANALYSES }[name].some((known) => known === value);
}

/** What the interface is asked for. `to` is the last day here, and the first moment after it there. */
export function queryOf(filters: readonly ChosenFilter[]): AnalysisQuery {
  const known = new Map(filters.filter(({ isUnknown }) => !isUnknown).map(({ name, value }) => [name, value]));
  const query: Record<string, string> = {};
  for (const [name, value] of known) query[name] = name === "to" ? dayAfter(value) : value;
  const words = query["q"];
  if (words !== undefined) query["q"] = [...words].slice(0, WORDS_MAX).join("");
  return query;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
