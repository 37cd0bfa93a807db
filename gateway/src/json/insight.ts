import type { MessageInitShape } from "@bufbuild/protobuf";
import { PLATFORM } from "@hourglass/posting";
import type { CoverageSpan } from "@hourglass/proto/insight/v1/coverage";
import {
  FollowSchema,
  type Follow,
  type Insight,
  type InsightQuery,
  type InsightQuerySchema,
} from "@hourglass/proto/insight/v1/insight";
import {
  GetCoverageRequestSchema,
  type CheckInsightResponse,
  type GetCoverageResponse,
  type PlatformInfo,
  type PlatformPlan,
} from "@hourglass/proto/insight/v1/insight_service";
import type { PlatformCounts, PlatformState } from "@hourglass/proto/insight/v1/platform";
import { itemsMaxOf } from "@hourglass/runtime";
import {
  boolean,
  list,
  object,
  ObjectReader,
  string,
  toIso,
  type Read,
  type Violations,
} from "@hourglass/runtime/json";
import { accepted } from "./field-errors.js";
import {
  COLLECTION_MODE,
  COMPLETENESS,
  GAP_REASON,
  INSIGHT_DIMENSION,
  INSIGHT_STATUS,
  PLATFORM_STATUS,
  readSpan,
} from "./fields.js";

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

/** More than the number of platforms or dimensions: longer lists contain repetitions and are not examined. */
const NAMES_MAX = 100;

/** Kinds of sources to follow; JSON and the contract use the same names. */
export const FOLLOWED = ["feeds", "subreddits", "pages", "organisations"] as const;

const follow = object((fields) => Object.fromEntries(FOLLOWED.map((name) => [name, sources(fields, name)])));

function sources(fields: ObjectReader, name: (typeof FOLLOWED)[number]): string[] {
  // An item of another type becomes a text that differs for each index, so that two of them are not a repetition.
  const read = list(string, { itemsMax: itemsMaxOf(FollowSchema, name), placeholder: String });
  return fields.optional(name, read) ?? [];
}

/** Reads the query of a new insight on some of these platforms. */
function insightQuery(platforms: readonly string[]): Read<MessageInitShape<typeof InsightQuerySchema>> {
  return object((query) => {
    const followed = query.optional("follow", follow);
    return {
      keywords: query.required("keywords", string) ?? "",
      platforms: query.required("platforms", PLATFORM.list(NAMES_MAX, platforms)) ?? [],
      dimensions: query.required("dimensions", INSIGHT_DIMENSION.list(NAMES_MAX)) ?? [],
      location: query.optional("location", string) ?? "",
      sneakPeek: query.optional("sneak_peek", boolean) ?? false,
      ...(followed === undefined ? {} : { follow: followed }),
    };
  });
}

/** The query in the record of an insight. */
function fromInsightQuery(query: InsightQuery | undefined): unknown {
  return {
    keywords: query?.keywords ?? "",
    platforms: PLATFORM.all(query?.platforms ?? []),
    dimensions: INSIGHT_DIMENSION.all(query?.dimensions ?? []),
    location: query === undefined || query.location === "" ? null : query.location,
    sneak_peek: query?.sneakPeek ?? false,
    follow: query?.follow === undefined ? null : fromFollow(query.follow),
  };
}

function fromFollow(followed: Follow): unknown {
  return Object.fromEntries(FOLLOWED.map((name) => [name, followed[name]]));
}

/** What a search would do. */
export function fromCheck({ terms, platforms, warnings }: CheckInsightResponse): unknown {
  return { terms, platforms: platforms.map(fromPlan), warnings };
}

function fromPlan({ platform, status, mode, queries, narrowedLocally, cost, warnings }: PlatformPlan): unknown {
  return {
    platform: PLATFORM.of(platform),
    state: PLATFORM_STATUS.of(status),
    mode: COLLECTION_MODE.of(mode),
    queries,
    narrowed_locally: narrowedLocally,
    cost,
    warnings,
  };
}

/** What this server can do on a platform. */
export function fromPlatformInfo({ platform, status, mode, missing }: PlatformInfo): unknown {
  return {
    platform: PLATFORM.of(platform),
    state: PLATFORM_STATUS.of(status),
    mode: COLLECTION_MODE.of(mode),
    missing: missing === "" ? null : missing,
  };
}

/** Reads the days whose coverage is asked for. */
export function toGetCoverageRequest(
  id: bigint,
  query: ObjectReader,
  violations: Violations,
): MessageInitShape<typeof GetCoverageRequestSchema> {
  return accepted(GetCoverageRequestSchema, { id, ...readSpan(query) }, violations);
}

/** For which spans of time the collection was complete. */
export function fromCoverage({ platforms }: Pick<GetCoverageResponse, "platforms">): object {
  return {
    platforms: platforms.map(({ platform, spans }) => ({
      platform: PLATFORM.of(platform),
      spans: spans.map(fromSpan),
    })),
  };
}

function fromSpan({ start, end, completeness, reasons }: CoverageSpan): unknown {
  return {
    start: toIso(start),
    end: toIso(end),
    completeness: COMPLETENESS.of(completeness),
    reasons: GAP_REASON.all(reasons),
  };
}
