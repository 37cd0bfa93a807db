import type { MessageInitShape } from "@bufbuild/protobuf";
import { PLATFORM } from "@hourglass/posting";
import type { Insight, InsightQuerySchema } from "@hourglass/proto/insight/v1/insight";
import type { PlatformCounts, PlatformState } from "@hourglass/proto/insight/v1/platform";
import { ObjectReader, toIso, type Violations } from "@hourglass/runtime/json";
import { fromInsightQuery, insightQuery } from "./insight-query.js";
import { INSIGHT_STATUS, PLATFORM_STATUS } from "../spelling.js";

/** Reads the body of a request that creates or checks an insight on some of the platforms, as far as its shape is valid. */
export function toNewInsight(
  body: Record<string, unknown>,
  platforms: readonly string[],
  violations: Violations,
): { query?: MessageInitShape<typeof InsightQuerySchema> } {
  const query = new ObjectReader(body, "", violations).required("query", insightQuery(platforms));
  return query === undefined ? {} : { query };
}

/** The record of an insight. */
export function fromInsight(insight: Insight): unknown {
  return {
    id: Number(insight.id),
    status: INSIGHT_STATUS.of(insight.status),
    query: fromInsightQuery(insight.query),
    terms: insight.terms,
    posting_count: Number(insight.postingCount),
    unanalysed_count: Number(insight.unanalysedCount),
    platforms: insight.platforms.map(fromPlatformState),
    ...(insight.error === "" ? undefined : { error: insight.error }),
    created_at: toIso(insight.createdAt),
    finished_at: toIso(insight.finishedAt),
  };
}

function fromPlatformState(state: PlatformState): unknown {
  return {
    platform: PLATFORM.of(state.platform),
    state: PLATFORM_STATUS.of(state.status),
    next_at: toIso(state.nextAt),
    last_success_at: toIso(state.lastSuccessAt),
    last_error: state.lastError === "" ? null : state.lastError,
    counts: fromCounts(state.counts),
    warnings: state.warnings,
  };
}

function fromCounts(counts: PlatformCounts | undefined): unknown {
  return {
    requests: Number(counts?.requests ?? 0n),
    fetched: Number(counts?.fetched ?? 0n),
    matched: Number(counts?.matched ?? 0n),
    stored: Number(counts?.stored ?? 0n),
    duplicates: Number(counts?.duplicates ?? 0n),
    skipped: Number(counts?.skipped ?? 0n),
  };
}
