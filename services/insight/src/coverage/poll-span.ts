import type { Connector, GapReason } from "../platforms/connector.js";
import type { CoverageSpan } from "../records/coverage-span.js";
import type { Poll, SearchRecord } from "../records/search.js";
import { isComplete, markComplete, markThin, markUnread, without } from "./spans.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How far back a search looks at first. */
const FIRST_LOOK_BACK_MS = 7 * DAY;
/** Platforms index postings late: this span is searched again. */
const LAG_MS = 10 * MINUTE;
/** Least time from one attempt at filling older gaps to the next, because it reads what is known again. */
const FILL_EVERY_MS = HOUR;

/** A later poll can make up for these, as far as the platform's window allows. */
const FILLABLE: ReadonlySet<GapReason> = new Set(["budget", "outage", "pause", "not_configured"]);

/** What a poll reads. */
export interface PollStart {
  since: number;
  /** False: a search fills an older gap, or its cursor is older than the platform's window. */
  fromCursor: boolean;
  fillTriedAt: number | null;
}

/**
 * Where a poll starts: where the last one ended, earlier by a lag if the platform is searched; from time to time at the
 * oldest gap that the platform's window still covers. Only a search is sent anew for that: followed sources and streams
 * give out what was missed behind the cursor.
 */
export function startOfPoll(
  search: Pick<SearchRecord, "coverage" | "lastSuccessAt" | "fillTriedAt">,
  { lookBackMs, mode }: Pick<Connector, "lookBackMs" | "mode">,
  now: number,
): PollStart {
  const { coverage, lastSuccessAt, fillTriedAt } = search;
  const windowStart = now - lookBackMs;
  const within = (time: number) => Math.max(windowStart, time);
  if (lastSuccessAt === null) {
    const first = coverage[0]?.from ?? now - FIRST_LOOK_BACK_MS;
    return { since: within(first), fromCursor: true, fillTriedAt };
  }
  const lag = mode === "search" ? LAG_MS : 0;
  const polledUntil = endOfPolled(coverage) ?? lastSuccessAt;
  const gap = coverage.find((span) => span.to > windowStart && span.from < polledUntil && isFillable(span));
  if (gap !== undefined && now - (fillTriedAt ?? 0) >= FILL_EVERY_MS) {
    return { since: within(gap.from - lag), fromCursor: mode !== "search", fillTriedAt: now };
  }
  const fromCursor = mode !== "search" || polledUntil >= windowStart;
  return { since: within(polledUntil - lag), fromCursor, fillTriedAt };
}

/** Whether everything older than a known posting is known to this poll. */
export function isUnbroken(coverage: readonly CoverageSpan[], { fromCursor }: Poll): boolean {
  const last = coverage.at(-1);
  return fromCursor && last !== undefined && isComplete(last);
}

/** The coverage after the last page of a poll. */
export function coverPoll(coverage: readonly CoverageSpan[], { since, startedAt, gaps }: Poll): CoverageSpan[] {
  let spans = [...coverage];
  for (const gap of gaps) spans = markThin(spans, clip(gap, { from: since, to: startedAt }), gap.reason);
  for (const range of without({ from: since, to: startedAt }, gaps)) spans = markComplete(spans, range);
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
