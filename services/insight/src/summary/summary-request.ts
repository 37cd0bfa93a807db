import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { PLATFORM } from "@hourglass/posting";
import type { PostingFilter, SummarizeRequest } from "@hourglass/proto/insight/v1/insight_service";
import { SummaryInterval } from "@hourglass/proto/insight/v1/summary";
import { AppError, type FieldViolation } from "@hourglass/runtime";
import { type ParsedFilter, parseFilter } from "../segments/filter.js";
import { type Collections, findInsight } from "../store/collections.js";
import type { InsightRecord, PlatformName } from "../store/records.js";
import { type InsightVersion, readVersions } from "../versions.js";
import { Calendar, type Interval, UTC } from "./calendar.js";
import { DAY_MS, HOUR_MS, type Span } from "./periods.js";

/** What a summary is asked for. */
export interface SummaryQuery {
  insight: InsightRecord;
  /** The latest queries of the insight, oldest first. */
  versions: readonly InsightVersion[];
  /** Insights to compare with. */
  others: InsightRecord[];
  span: Span;
  interval: Interval;
  /** In which days, weeks and months begin. */
  calendar: Calendar;
  /** Undefined: all. */
  platforms: ReadonlySet<PlatformName> | undefined;
  filter: ParsedFilter;
  /** Whether the filter asks for more than platforms, which buckets cannot answer. */
  isFiltered: boolean;
  /** Length of the lists. */
  top: number;
}

const DAYS_DEFAULT = 30;
const DAYS_MAX: Readonly<Record<Interval, number>> = { hour: 31, day: 366, week: 1_830, month: 3_660 };
const TOP_DEFAULT = 20;
const INTERVALS: Readonly<Record<SummaryInterval, Interval>> = {
  [SummaryInterval.UNSPECIFIED]: "day",
  [SummaryInterval.HOUR]: "hour",
  [SummaryInterval.DAY]: "day",
  [SummaryInterval.WEEK]: "week",
  [SummaryInterval.MONTH]: "month",
};

/** Throws AppError `not-found`, and `invalid` that names every wrong field. */
export async function readSummaryRequest(
  { collections, now }: { collections: Pick<Collections, "insights" | "versions">; now: number },
  request: SummarizeRequest,
  companyId: number,
): Promise<SummaryQuery> {
  const { insights } = collections;
  const insight = await findInsight(insights, Number(request.id), companyId);
  const versions = await readVersions(collections, insight);
  const interval = INTERVALS[request.interval];
  const calendar = calendarOf(request.timeZone);
  const span = spanOf(request, calendar, now);
  const ids = [...new Set(request.compare.map(Number))].filter((id) => id !== insight.id);
  const found = await insights.find({ id: { in: ids }, companyId, status: { ne: "deleted" } });
  const others = ids.flatMap((id) => found.find((other) => other.id === id) ?? []);
  const known = new Set([insight.id, ...others.map(({ id }) => id)]);
  const violations = [...mistakesOf(request, span, interval), ...request.compare.flatMap(notAmong(known))];
  if (violations.length > 0) throw AppError.invalid(violations);
  const { top = TOP_DEFAULT } = request;
  const filter = parseFilter(request.filter);
  const isFiltered = filter.matches !== undefined || filter.conditions.some(({ column }) => column !== "platform");
  const platforms = platformsOf(request.filter);
  return { insight, versions, others, span, interval, calendar, platforms, filter, isFiltered, top };
}

function calendarOf(zone: string): Calendar {
  try {
    return new Calendar(zone === "" ? UTC : zone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = "Give the IANA name of a time zone, such as Europe/Lisbon.";
    throw AppError.invalid([{ field: "time_zone", message }]);
  }
}

function spanOf({ filter, startDate, endDate }: SummarizeRequest, calendar: Calendar, now: number): Span {
  const momentOf = (date: string, moment: Timestamp | undefined) =>
    moment === undefined ? (date === "" ? undefined : calendar.startOf(date)) : timestampMs(moment);
  const end = momentOf(endDate, filter?.end) ?? calendar.endOfDay(now);
  return { start: momentOf(startDate, filter?.start) ?? end - DAYS_DEFAULT * DAY_MS, end };
}

function mistakesOf(
  { filter, startDate }: SummarizeRequest,
  { start, end }: Span,
  interval: Interval,
): FieldViolation[] {
  const odd = (["start", "end"] as const).filter((edge) => {
    const moment = filter?.[edge];
    return moment !== undefined && timestampMs(moment) % HOUR_MS !== 0;
  });
  if (odd.length > 0) return odd.map((edge) => ({ field: `filter.${edge}`, message: "Give a whole hour in UTC." }));
  const field = startDate === "" ? "filter.start" : "start_date";
  if (start >= end) return [{ field, message: "Give a date before end_date." }];
  const days = DAYS_MAX[interval];
  // Clocks may have been put back between the two.
  if (end - start <= days * DAY_MS + 2 * HOUR_MS) return [];
  const longest = `Give dates at most ${days.toLocaleString("en-GB")} days apart`;
  return [{ field, message: `${longest}, or a longer interval than ${interval}.` }];
}

function notAmong(known: ReadonlySet<number>): (id: bigint, index: number) => FieldViolation[] {
  return (id, index) =>
    known.has(Number(id)) ? [] : [{ field: `compare[${index}]`, message: "Give the id of an insight of yours." }];
}

function platformsOf(filter: PostingFilter | undefined): ReadonlySet<PlatformName> | undefined {
  const names = (filter?.platforms ?? []).map((number) => PLATFORM.nameOf(number));
  return names.length === 0 ? undefined : new Set(names);
}
