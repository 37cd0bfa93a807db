import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Insight } from "@hourglass/proto/insight/v1/insight";
import {
  CreateInsightRequestSchema,
  SummarizeRequestSchema,
  type Count,
  type SummarizeResponse,
} from "@hourglass/proto/insight/v1/insight_service";
import { accepted } from "./field-errors.js";
import { boolean, object, ObjectReader, string, type Violations } from "./reader.js";
import { INSIGHT_DIMENSION, INSIGHT_STATUS, PLATFORM } from "./spelling.js";
import { calendarDate, toIso } from "./time.js";

/** More than the number of platforms or dimensions: longer lists contain repetitions and are not examined. */
const NAMES_MAX = 100;

const insightQuery = object((query) => ({
  keywords: query.required("keywords", string) ?? "",
  platforms: query.required("platforms", PLATFORM.list(NAMES_MAX)) ?? [],
  dimensions: query.required("dimensions", INSIGHT_DIMENSION.list(NAMES_MAX)) ?? [],
  location: query.optional("location", string) ?? "",
  sneakPeek: query.optional("sneak_peek", boolean) ?? false,
}));

/** Reads the request body for a new insight. */
export function toCreateInsightRequest(
  body: Record<string, unknown>,
  idempotencyKey: string,
): MessageInitShape<typeof CreateInsightRequestSchema> {
  const violations: Violations = [];
  const query = new ObjectReader(body, "", violations).required("query", insightQuery);
  const request = { ...(query === undefined ? {} : { query }), idempotencyKey };
  return accepted(CreateInsightRequestSchema, request, violations);
}

/** The record of an insight. */
export function fromInsight({ id, status, query, platforms, createdAt }: Insight): unknown {
  return {
    id: Number(id),
    status: INSIGHT_STATUS.of(status),
    query: {
      keywords: query?.keywords ?? "",
      platforms: PLATFORM.all(query?.platforms ?? []),
      dimensions: INSIGHT_DIMENSION.all(query?.dimensions ?? []),
      location: orNull(query?.location),
      sneak_peek: query?.sneakPeek ?? false,
    },
    platforms: platforms.map(({ platform, state, postingCount, lastError }) => ({
      platform: PLATFORM.of(platform),
      state,
      posting_count: Number(postingCount),
      last_error: orNull(lastError),
    })),
    created_at: toIso(createdAt),
  };
}

/** Reads the days that a summary covers. */
export function toSummarizeRequest(
  id: bigint,
  query: ObjectReader,
  violations: Violations,
): MessageInitShape<typeof SummarizeRequestSchema> {
  const start = query.optional("start_date", calendarDate);
  const end = query.optional("end_date", calendarDate);
  if (start !== undefined && end !== undefined && start.seconds >= end.seconds) {
    violations.push({ field: "start_date", message: "Give a date before end_date." });
  }
  const request = { id, ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
  return accepted(SummarizeRequestSchema, request, violations);
}

/** How often each value occurs in an insight's postings. */
export function fromSummary(summary: SummarizeResponse): unknown {
  return {
    days: summary.days.map(fromCount),
    platforms: summary.platforms.map(fromCount),
    sentiments: summary.sentiments.map(fromCount),
    intentions: summary.intentions.map(fromCount),
    topics: summary.topics.map(fromCount),
    authors: summary.authors.map(fromCount),
    labels: summary.labels.map(fromCount),
  };
}

function fromCount({ value, count }: Count): unknown {
  return { value, count: Number(count) };
}

function orNull(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}
