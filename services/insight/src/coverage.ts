import type { Collection } from "@hourglass/runtime";
import type { Span } from "./summary/periods.js";
import type { Connector, GapReason } from "./platforms/connector.js";
import {
  type CoverageSpan,
  type InsightRecord,
  isNamed,
  type PlatformName,
  platformsOf,
  type Poll,
  type SearchRecord,
  type SearchStatus,
  type TimeRange,
} from "./store/records.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How far back a search looks at first. */
export const FIRST_LOOK_BACK_MS = 7 * DAY;
/** Platforms index postings late: this span is searched again. */
const LAG_MS = 10 * MINUTE;
/** Least time from one attempt at filling older gaps to the next, because it reads what is known again. */
const FILL_EVERY_MS = HOUR;

/** A later poll can make up for these, as far as the platform's window allows. */
const FILLABLE: ReadonlySet<GapReason> = new Set(["budget", "outage", "pause", "not_configured"]);

/** What a poll reads. */
interface PollStart {
  since: number;
  /** False: a search fills an older gap, or its cursor is older than the platform's window. */
  fromCursor: boolean;
  fillTriedAt: number | null;
}

/**
 * Where a poll starts: where the last one ended, earlier by a lag if the platform is searched; from time to time at the
 * oldest gap that the platform's window still covers. Only a search is repeated for that: followed sources and streams
 * return what was missed after the cursor. Nothing is read of the time when the query did not name the platform, and gaps
 * of an earlier query stay.
 */
export function startOfPoll(
  search: Pick<SearchRecord, "coverage" | "lastSuccessAt" | "fillTriedAt" | "askedSince" | "joinedAt">,
  { lookBackMs, mode }: Pick<Connector, "lookBackMs" | "mode">,
  now: number,
): PollStart {
  const { coverage, lastSuccessAt, fillTriedAt, askedSince = -Infinity, joinedAt = -Infinity } = search;
  const windowStart = Math.max(now - lookBackMs, joinedAt);
  const fillsFrom = Math.max(windowStart, askedSince);
  const within = (time: number) => Math.max(windowStart, time);
  if (lastSuccessAt === null) {
    const first = coverage[0]?.from ?? now - FIRST_LOOK_BACK_MS;
    return { since: within(first), fromCursor: true, fillTriedAt };
  }
  const polledUntil = endOfPolled(coverage) ?? lastSuccessAt;
  const lag = mode === "search" || askedSince > polledUntil ? LAG_MS : 0;
  const gap = coverage.find((span) => span.to > fillsFrom && span.from < polledUntil && isFillable(span));
  if (gap !== undefined && now - (fillTriedAt ?? 0) >= FILL_EVERY_MS) {
    return { since: within(Math.max(gap.from, askedSince) - lag), fromCursor: mode !== "search", fillTriedAt: now };
  }
  const fromCursor = mode !== "search" || polledUntil >= windowStart;
  return { since: within(polledUntil - lag), fromCursor, fillTriedAt };
}

/** Whether everything older than a known posting is known to this poll. */
export function isUnbroken(coverage: readonly CoverageSpan[], { fromCursor }: Poll): boolean {
  const last = coverage.at(-1);
  return fromCursor && last !== undefined && isComplete(last);
}

/** The coverage after the last page of a poll. What was posted before the poll's query was given is another's: it stays thin. */
export function coverPoll(
  { coverage, askedSince = -Infinity }: Pick<SearchRecord, "coverage" | "askedSince">,
  { since, startedAt, gaps }: Poll,
): CoverageSpan[] {
  let spans = [...coverage];
  const border = Math.min(Math.max(since, askedSince), startedAt);
  for (const gap of gaps) spans = markThin(spans, clip(gap, { from: since, to: startedAt }), gap.reason);
  for (const range of without({ from: since, to: border }, gaps)) spans = markThin(spans, range, "query_changed");
  for (const range of without({ from: border, to: startedAt }, gaps)) spans = markComplete(spans, range);
  return spans;
}

/** The coverage after a poll whose last page was not read. */
export function coverPart(
  coverage: readonly CoverageSpan[],
  { since, startedAt }: Poll,
  reason: GapReason,
): CoverageSpan[] {
  return markThin(coverage, { from: since, to: startedAt }, reason);
}

/**
 * The coverage after a poll was given up before its last page: the next poll starts where this one did, whatever it has
 * stored.
 */
export function coverAbandoned(
  coverage: readonly CoverageSpan[],
  poll: Poll | null,
  reason: GapReason,
): CoverageSpan[] {
  if (poll === null || poll.pages === 0 || coverage.length === 0) return [...coverage];
  return markUnread(coverage, { from: poll.since, to: Math.min(poll.startedAt, coverage.at(-1)!.to) }, reason);
}

/** Where the last span ends of which something was collected. */
function endOfPolled(coverage: readonly CoverageSpan[]): number | undefined {
  return coverage.findLast(({ completeness }) => completeness !== "unknown")?.to;
}

function isFillable({ completeness, reasons }: CoverageSpan): boolean {
  return completeness !== "complete" && reasons.every((reason) => FILLABLE.has(reason));
}

function clip({ from, to }: { from: number; to: number }, limits: { from: number; to: number }) {
  return { from: Math.max(from, limits.from), to: Math.min(to, limits.to) };
}

/** A span of time of posting, in milliseconds since the epoch: the start is inclusive, the end exclusive. */
interface CoverageRange {
  start: number;
  end: number;
}

export interface PlatformCoverage {
  platform: PlatformName;
  /** In order of time, without gaps or overlaps; together they are the range asked for. */
  spans: CoverageSpan[];
}

interface ReadCoverageDeps {
  searches: Collection<SearchRecord>;
  now: () => number;
}

/**
 * Tells how completely an insight was collected in a range of time, per platform in the order of its query, then those of
 * earlier queries.
 */
export async function readCoverage(
  { searches, now }: ReadCoverageDeps,
  insight: InsightRecord,
  range: CoverageRange,
): Promise<PlatformCoverage[]> {
  const found = await searches.find({ insightId: insight.id });
  const byPlatform = new Map(found.map((search) => [search.platform, search]));
  return platformsOf(insight).flatMap((platform) => {
    const search = byPlatform.get(platform);
    if (search === undefined) return [];
    return [{ platform, spans: spansWithin(search, { insight, range, now: now() }) }];
  });
}

interface SpanRequest {
  insight: Pick<InsightRecord, "status">;
  range: CoverageRange;
  now: number;
}

function spansWithin(search: SearchRecord, { insight, range, now }: SpanRequest): CoverageSpan[] {
  const { coverage, stated = [] } = search;
  const first = coverage[0]?.from ?? -Infinity;
  const last = coverage.at(-1)?.to ?? -Infinity;
  const missing = missingSince(search, insight);
  const tail: CoverageSpan[] = [
    { from: last, to: Math.max(last, now), completeness: "unknown", reasons: [missing] },
    { from: Math.max(last, now), to: Infinity, completeness: "unknown", reasons: ["pending"] },
  ];
  const before: CoverageSpan = { from: -Infinity, to: first, completeness: "unknown", reasons: ["before_window"] };
  const polled = [before, ...coverage, ...tail];
  const rest = polled.flatMap((span) => without(span, stated).map((part) => ({ ...span, ...part })));
  const imported = stated.map((part) => ({ ...part, completeness: "complete" as const, reasons: [] }));
  return joined(
    [...rest, ...imported]
      .sort((one, other) => one.from - other.from)
      .map((span) => ({ ...span, from: Math.max(span.from, range.start), to: Math.min(span.to, range.end) }))
      .filter(({ from, to }) => from < to),
  );
}

/** More stated spans are forgotten, oldest first, so that the record of a search stays small. */
const STATED_MAX = 64;

/** The spans that imports have stated to be complete, in order of time, with a further one. */
export function withStated(stated: readonly TimeRange[], added: TimeRange): TimeRange[] {
  const merged: TimeRange[] = [];
  for (const span of [...stated, added].sort((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged.slice(-STATED_MAX);
}

/** Why nothing is known of the time since the last poll. */
function missingSince(search: SearchRecord, { status }: Pick<InsightRecord, "status">): GapReason {
  if (!isNamed(search)) return "query_changed";
  if (search.preview) return search.outcome === null ? "pending" : "preview";
  if (status === "paused") return "pause";
  return missingReason(search.status) ?? "pending";
}

type Completeness = CoverageSpan["completeness"];

const RANK: Readonly<Record<Completeness, number>> = { unknown: 0, thin: 1, complete: 2 };

/** Tells how completely parts of a span of time were collected. */
export class CompletenessTimeline {
  private readonly spans: ReadonlyMap<PlatformName, readonly CoverageSpan[]>;

  /** A platform from which nothing was ever collected, and of which there is no posting, makes nothing incomplete. */
  constructor(coverage: readonly PlatformCoverage[], hasPostings: ReadonlySet<PlatformName>) {
    const used = coverage.filter(
      ({ platform, spans }) =>
        hasPostings.has(platform) || spans.some(({ completeness }) => completeness !== "unknown"),
    );
    // Nothing is missing of a platform that the query of that time did not name.
    const named = (spans: readonly CoverageSpan[]) => spans.filter((span) => !isUnnamed(span));
    this.spans = new Map(used.map(({ platform, spans }) => [platform, named(spans)]));
  }

  /** The least of that of the platforms; without a platform, of all. */
  during({ start, end }: Span, platform?: PlatformName): Completeness {
    const timelines = platform === undefined ? [...this.spans.values()] : [this.spans.get(platform) ?? []];
    const found = timelines.flatMap((spans) => spans.filter((span) => span.from < end && span.to > start));
    if (found.length === 0) return "unknown";
    return found.reduce<Completeness>((least, { completeness }) => worse(least, completeness), "complete");
  }
}

function isUnnamed({ completeness, reasons }: CoverageSpan): boolean {
  return completeness === "unknown" && reasons.length === 1 && reasons[0] === "query_changed";
}

function worse(one: Completeness, other: Completeness): Completeness {
  return RANK[one] < RANK[other] ? one : other;
}

/** Why a search in this state collects nothing; undefined if it collects as planned. */
export function missingReason(status: SearchStatus): GapReason | undefined {
  switch (status) {
    case "failing":
      return "outage";
    case "budget_spent":
      return "budget";
    case "not_configured":
    case "importing":
    case "auth_failed":
      return "not_configured";
    case "collecting":
    case "waiting":
      return undefined;
  }
}

/** More spans are joined, oldest first, so that the record of a search stays small. */
const SPANS_MAX = 64;

/** Marks a range as collected, whatever was known of it. */
export function markComplete(spans: readonly CoverageSpan[], range: TimeRange): CoverageSpan[] {
  return overlay(spans, [{ ...range, completeness: "complete", reasons: [] }]);
}

/** Marks a range as possibly incomplete, except where it is complete. */
export function markThin(spans: readonly CoverageSpan[], range: TimeRange, reason: GapReason): CoverageSpan[] {
  return markExceptComplete(spans, range, { completeness: "thin", reasons: [reason] });
}

/** Marks a range as not collected, except where it is complete. */
function markUnread(spans: readonly CoverageSpan[], range: TimeRange, reason: GapReason): CoverageSpan[] {
  return markExceptComplete(spans, range, { completeness: "unknown", reasons: [reason] });
}

function markExceptComplete(
  spans: readonly CoverageSpan[],
  range: TimeRange,
  mark: Pick<CoverageSpan, "completeness" | "reasons">,
): CoverageSpan[] {
  const pieces = without(range, spans.filter(isComplete));
  return overlay(
    spans,
    pieces.map((piece) => ({ ...piece, ...mark })),
  );
}

/** Extends the spans until a time before which nothing was collected; `from` is where they start if there are none. */
export function markMissed(spans: readonly CoverageSpan[], { from, to }: TimeRange, reason: GapReason): CoverageSpan[] {
  const start = spans.at(-1)?.to ?? from;
  return overlay(spans, [{ from: start, to, completeness: "unknown", reasons: [reason] }]);
}

/** What remains of a range without others, in order of time. */
export function without({ from, to }: TimeRange, others: readonly TimeRange[]): TimeRange[] {
  const rest: TimeRange[] = [];
  let start = from;
  for (const other of [...others].sort((a, b) => a.from - b.from)) {
    if (other.from > start) rest.push({ from: start, to: Math.min(other.from, to) });
    start = Math.max(start, other.to);
    if (start >= to) break;
  }
  if (start < to) rest.push({ from: start, to });
  return rest.filter((range) => range.from < range.to);
}

function isComplete({ completeness }: CoverageSpan): boolean {
  return completeness === "complete";
}

/** Puts spans over others. What lies between two spans is unknown. */
function overlay(spans: readonly CoverageSpan[], above: readonly CoverageSpan[]): CoverageSpan[] {
  const seen = above.filter(({ from, to }) => from < to);
  const below = spans.flatMap((span) => without(span, seen).map((rest) => ({ ...span, ...rest })));
  const all = [...below, ...seen].sort((a, b) => a.from - b.from);
  return bounded(joined(withoutHoles(all)));
}

function withoutHoles(spans: readonly CoverageSpan[]): CoverageSpan[] {
  return spans.flatMap((span, index) => {
    const end = spans[index - 1]?.to ?? span.from;
    if (end >= span.from) return [span];
    return [{ from: end, to: span.from, completeness: "unknown", reasons: ["pending"] }, span];
  });
}

/** Joins neighbors that differ only in time. */
function joined(spans: readonly CoverageSpan[]): CoverageSpan[] {
  const result: CoverageSpan[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last !== undefined && isAlike(last, span)) last.to = span.to;
    else result.push({ ...span });
  }
  return result;
}

function isAlike(a: CoverageSpan, b: CoverageSpan): boolean {
  return a.completeness === b.completeness && a.reasons.join() === b.reasons.join();
}

function bounded(spans: readonly CoverageSpan[]): CoverageSpan[] {
  let rest = [...spans];
  while (rest.length > SPANS_MAX) {
    const [first, second, ...others] = rest as [CoverageSpan, CoverageSpan, ...CoverageSpan[]];
    const completeness = first.completeness === second.completeness ? first.completeness : "thin";
    const reasons = [...new Set([...first.reasons, ...second.reasons])];
    rest = joined([{ from: first.from, to: second.to, completeness, reasons }, ...others]);
  }
  return rest;
}
