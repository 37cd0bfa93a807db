import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { PLATFORM } from "@hourglass/posting";
import { CompletenessSchema, GapReasonSchema, type PlatformCoverageSchema } from "@hourglass/proto/insight/v1/coverage";
import {
  type Follow,
  InsightDimensionSchema,
  type InsightQuery as QueryMessage,
  type InsightSchema,
  InsightStatusSchema,
  type InsightVersionSchema,
} from "@hourglass/proto/insight/v1/insight";
import {
  type CheckInsightResponseSchema,
  ExpressionKindSchema,
  type GetCoverageRequest,
  type ParsedExpressionSchema,
  type PlatformInfoSchema,
  type UpdateInsightRequest,
} from "@hourglass/proto/insight/v1/insight_service";
import {
  CollectionMode,
  CollectionModeSchema,
  type PlatformStateSchema,
  PlatformStatus,
  PlatformStatusSchema,
} from "@hourglass/proto/insight/v1/platform";
import { type Author, metadataOf, toAuthor } from "@hourglass/runtime";
import { Spelling } from "@hourglass/runtime/json";
import type { ShownState } from "./collector/searches.js";
import { type InsightChange, revisionOfInsight } from "./change-insight.js";
import type { PlatformCoverage } from "./coverage.js";
import type { CoverageRequest, FullInsight, InsightCheck } from "./insights.js";
import { type Platforms, readinessOf } from "./platforms/registry.js";
import type { Understood } from "./query/understood.js";
import { type DimensionName, type InsightQuery, metadataIn, type SearchCounts } from "./store/records.js";
import type { InsightVersion } from "./versions.js";

/** The query of a request that has passed the rules. */
export function fromQuery(query: QueryMessage | undefined): InsightQuery {
  if (query === undefined) throw new TypeError("the rules of requests require a query");
  return {
    keywords: query.keywords,
    platforms: query.platforms.map((number) => PLATFORM.nameOf(number)),
    dimensions: query.dimensions.map((number) => DIMENSION.nameOf(number) as DimensionName),
    location: query.location,
    sneakPeek: query.sneakPeek,
    follow: fromFollow(query.follow),
  };
}

/** The change that a request that has passed the rules asks for. */
export function fromChange(
  { name, note, metadata: given, keywords, platforms, location, follow, sneakPeek }: UpdateInsightRequest,
  changedBy: Author | undefined,
): InsightChange {
  const query = {
    ...(keywords !== undefined && { keywords }),
    ...(platforms !== undefined && { platforms: platforms.platforms.map((number) => PLATFORM.nameOf(number)) }),
    ...(location !== undefined && { location }),
    ...(follow !== undefined && { follow: fromFollow(follow) }),
  };
  const metadata = given && metadataOf(given.metadata);
  return { name, note, metadata, query, sneakPeek, changedBy };
}

function fromFollow({ feeds = [], subreddits = [], pages = [], organisations = [] }: Partial<Follow> = {}) {
  return { feeds, subreddits, pages, organisations };
}

/** The message of an insight. */
export function toInsight({
  insight,
  searches,
  unanalysed,
  versions = [],
}: FullInsight): MessageInitShape<typeof InsightSchema> {
  return {
    id: BigInt(insight.id),
    status: INSIGHT_STATUS.numberOf(insight.status),
    query: toQuery(insight.query),
    platforms: searches.map(toPlatformState),
    createdAt: timestampFromMs(insight.createdAt),
    terms: insight.terms,
    postingCount: BigInt(insight.postings),
    unanalysedCount: BigInt(unanalysed),
    error: insight.error ?? "",
    ...(insight.name && { name: insight.name }),
    ...(insight.note && { note: insight.note }),
    author: toAuthor(insight.createdBy),
    ...moments({ finishedAt: insight.finishedAt, lastActivityAt: insight.activeAt }),
    version: insight.version ?? 1,
    versions: versions.map(toVersion),
    revision: revisionOfInsight(insight),
    metadata: Object.fromEntries(metadataIn(insight)),
  };
}

/** The message of one query of an insight. */
export function toVersion({ version, at, by, query }: InsightVersion): MessageInitShape<typeof InsightVersionSchema> {
  const { keywords, platforms, location, follow } = query;
  return {
    version,
    at: timestampFromMs(at),
    author: toAuthor(by),
    keywords,
    platforms: platforms.map((name) => PLATFORM.numberOf(name)),
    location,
    ...followed(follow),
  };
}

/** Absent if there are none. */
function followed(follow: InsightQuery["follow"]): { follow?: InsightQuery["follow"] } {
  return Object.values(follow).some(({ length }) => length > 0) ? { follow } : {};
}

function toQuery(query: InsightQuery): NonNullable<MessageInitShape<typeof InsightSchema>["query"]> {
  const { keywords, platforms, dimensions, location, sneakPeek, follow } = query;
  return {
    keywords,
    platforms: platforms.map((name) => PLATFORM.numberOf(name)),
    dimensions: dimensions.map((name) => DIMENSION.numberOf(name)),
    location,
    sneakPeek,
    ...followed(follow),
  };
}

function toPlatformState(search: ShownState): MessageInitShape<typeof PlatformStateSchema> {
  return {
    platform: PLATFORM.numberOf(search.platform),
    status: PLATFORM_STATUS.numberOf(search.status),
    lastError: search.lastError ?? "",
    counts: toCounts(search.counts),
    warnings: search.warnings,
    ...moments({ nextAt: search.nextAt, lastSuccessAt: search.lastSuccessAt }),
    ...(search.stalled !== null && {
      stalled: { reason: search.stalled.reason, ...moments({ nextTryAt: search.stalled.nextTryAt }) },
    }),
  };
}

function toCounts(counts: SearchCounts): { [K in keyof SearchCounts]: bigint } {
  const { requests, fetched, matched, stored, duplicates, skipped } = counts;
  return {
    requests: BigInt(requests),
    fetched: BigInt(fetched),
    matched: BigInt(matched),
    stored: BigInt(stored),
    duplicates: BigInt(duplicates),
    skipped: BigInt(skipped),
  };
}

/** The times that are set, as timestamps. */
function moments<K extends string>(times: Record<K, number | null>): Partial<Record<K, Timestamp>> {
  const set = Object.entries<number | null>(times).filter((entry): entry is [string, number] => entry[1] !== null);
  return Object.fromEntries(set.map(([name, ms]) => [name, timestampFromMs(ms)])) as Partial<Record<K, Timestamp>>;
}

/** The message of a check. */
export function toCheck({
  terms,
  parsed,
  platforms,
  keywordWarnings: ofKeywords,
  warnings,
}: InsightCheck): MessageInitShape<typeof CheckInsightResponseSchema> {
  return {
    terms,
    parsed: {
      sentence: parsed.sentence,
      terms: parsed.terms.map((term) => ({ ...term, expression: toExpression(term.expression) })),
    },
    platforms: platforms.map((plan) => ({
      platform: PLATFORM.numberOf(plan.platform),
      status: PLATFORM_STATUS.numberOf(plan.status),
      mode: COLLECTION_MODE.numberOf(plan.mode),
      queries: [...plan.queries],
      narrowedLocally: plan.narrowedLocally,
      cost: plan.cost,
      warnings: [...plan.warnings],
    })),
    warnings,
    queryWarnings: [...ofKeywords, ...warnings.map((message) => ({ message }))],
  };
}

function toExpression({ kind, value, parts }: Understood): MessageInitShape<typeof ParsedExpressionSchema> {
  return { kind: EXPRESSION_KIND.numberOf(kind), value, parts: parts.map(toExpression) };
}

/** The message about one platform of this server. */
export function toPlatformInfo(name: string, platforms: Platforms): MessageInitShape<typeof PlatformInfoSchema> {
  const platform = PLATFORM.numberOf(name);
  const readiness = readinessOf(platforms, name);
  if ("missing" in readiness) {
    const { missing } = readiness;
    return { platform, status: PlatformStatus.NOT_CONFIGURED, mode: CollectionMode.IMPORT, missing };
  }
  return { platform, status: PlatformStatus.WAITING, mode: COLLECTION_MODE.numberOf(readiness.connector.mode) };
}

/** The request for coverage. */
export function fromCoverageRequest({ id, start, end }: GetCoverageRequest, companyId: number): CoverageRequest {
  return {
    id: Number(id),
    companyId,
    start: start && timestampMs(start),
    end: end && timestampMs(end),
  };
}

/** The message of the coverage on one platform. */
export function toCoverage({ platform, spans }: PlatformCoverage): MessageInitShape<typeof PlatformCoverageSchema> {
  return {
    platform: PLATFORM.numberOf(platform),
    spans: spans.map(({ from, to, completeness, reasons }) => ({
      start: timestampFromMs(from),
      end: timestampFromMs(to),
      completeness: COMPLETENESS.numberOf(completeness),
      reasons: reasons.map((reason) => GAP_REASON.numberOf(reason)),
    })),
  };
}

// The names that records use for the values of proto enums.

const DIMENSION = new Spelling(InsightDimensionSchema);
export const INSIGHT_STATUS = new Spelling(InsightStatusSchema);
const PLATFORM_STATUS = new Spelling(PlatformStatusSchema, "_");
const COLLECTION_MODE = new Spelling(CollectionModeSchema);
export const COMPLETENESS = new Spelling(CompletenessSchema);
const EXPRESSION_KIND = new Spelling(ExpressionKindSchema);
const GAP_REASON = new Spelling(GapReasonSchema, "_");
