import { readCoverage, type PlatformCoverage } from "../coverage.js";
import type { Collections } from "../records/collections.js";
import { findInsight } from "../records/find-insight.js";

export interface CoverageRequest {
  id: number;
  companyId: number;
  /** Milliseconds since the epoch; undefined: from the creation of the insight. */
  start: number | undefined;
  /** Undefined: until now. */
  end: number | undefined;
}

/** Tells for which time an insight was collected completely. Throws AppError `not-found`. */
export type GetCoverage = (request: CoverageRequest) => Promise<PlatformCoverage[]>;

export function createGetCoverage(
  { insights, searches }: Pick<Collections, "insights" | "searches">,
  now: () => number,
): GetCoverage {
  return async ({ id, companyId, start, end }) => {
    const insight = await findInsight(insights, id, companyId);
    return readCoverage({ searches, now }, insight, { start: start ?? insight.createdAt, end: end ?? now() });
  };
}
