import { timestampMs } from "@bufbuild/protobuf/wkt";
import { PLATFORM } from "@hourglass/posting";
import type { PostingFilter, SummarizeRequest } from "@hourglass/proto/insight/v1/insight_service";
import { SummaryInterval } from "@hourglass/proto/insight/v1/summary";
import { AppError, type FieldViolation } from "@hourglass/runtime";
import { type ParsedFilter, parseFilter } from "../segments/filter.js";
import { type Collections, findInsight } from "../store/collections.js";
import type { InsightRecord, PlatformName } from "../store/records.js";
import { DAY_MS, HOUR_MS, type Interval, type Span } from "./periods.js";

/** What a summary is asked for. */
export interface SummaryQuery {
  insight: InsightRecord;
  /** Insights to compare with. */
  others: InsightRecord[];
  span: Span;
  interval: Interval;
  /** Undefined: all. */
  platforms: ReadonlySet<PlatformName> | undefined;
  filter: ParsedFilter;
  /** Whether the filter asks for more than platforms, which buckets cannot answer. */
  isFiltered: boolean;
  /** Length of the lists. */
  top: number;
}

const DAYS_DEFAULT = 30;
const DAYS_MAX: Readonly<Record<Interval, number>> = { hour: 31, day: 366, week: 1_830 };
const TOP_DEFAULT = 20;
const INTERVALS: Readonly<Record<SummaryInterval, Interval>> = {
  [SummaryInterval.UNSPECIFIED]: "day",
  [SummaryInterval.HOUR]: "hour",
  [SummaryInterval.DAY]: "day",
  [SummaryInterval.WEEK]: "week",
};

/** Throws AppError `not-found`, and `invalid` that names every wrong field. */
export async function readSummaryRequest(
  { insights, now }: { insights: Collections["insights"]; now: number },
  request: SummarizeRequest,
  companyId: number,
): Promise<SummaryQuery> {
  const insight = await findInsight(insights, Number(request.id), companyId);
  const interval = INTERVALS[request.interval];
  const span = spanOf(request.filter, now);
  const ids = [...new Set(request.compare.map(Number))].filter((id) => id !== insight.id);
  const found = await insights.find({ id: { in: ids }, companyId, status: { ne: "deleted" } });
  const others = ids.flatMap((id) => found.find((other) => other.id === id) ?? []);
  const known = new Set([insight.id, ...others.map(({ id }) => id)]);
  const violations = [...mistakesOf(span, interval), ...request.compare.flatMap(notAmong(known))];
  if (violations.length > 0) throw AppError.invalid(violations);
  const { top = TOP_DEFAULT } = request;
  const filter = parseFilter(request.filter);
  const isFiltered = filter.matches !== undefined || filter.conditions.some(({ column }) => column !== "platform");
  return { insight, others, span, interval, platforms: platformsOf(request.filter), filter, isFiltered, top };
}

function spanOf(filter: PostingFilter | undefined, now: number): Span {
  const end = filter?.end === undefined ? (Math.floor(now / DAY_MS) + 1) * DAY_MS : timestampMs(filter.end);
  return { start: filter?.start === undefined ? end - DAYS_DEFAULT * DAY_MS : timestampMs(filter.start), end };
}

function mistakesOf({ start, end }: Span, interval: Interval): FieldViolation[] {
  const odd = (["start", "end"] as const).filter((edge) => (edge === "start" ? start : end) % HOUR_MS !== 0);
  if (odd.length > 0) return odd.map((edge) => ({ field: `filter.${edge}`, message: "Give a whole hour in UTC." }));
  if (start >= end) return [{ field: "filter.start", message: "Give a date before end_date." }];
  const days = DAYS_MAX[interval];
  if (end - start <= days * DAY_MS) return [];
  const longest = `Give dates at most ${days.toLocaleString("en-GB")} days apart`;
  return [{ field: "filter.start", message: `${longest}, or a longer interval than ${interval}.` }];
}

function notAmong(known: ReadonlySet<number>): (id: bigint, index: number) => FieldViolation[] {
  return (id, index) =>
    known.has(Number(id)) ? [] : [{ field: `compare[${index}]`, message: "Give the id of an insight of yours." }];
}

function platformsOf(filter: PostingFilter | undefined): ReadonlySet<PlatformName> | undefined {
  const names = (filter?.platforms ?? []).map((number) => PLATFORM.nameOf(number));
  return names.length === 0 ? undefined : new Set(names);
}
