import { createHash } from "node:crypto";
import { type DueClaim, failpoint, type HttpClient, type Logger, pauseAfter } from "@hourglass/runtime";
import { type FeedAnswer, type FeedAt, fetchFeed, type Freshness, problemOfDocument } from "./api.js";
import type { FeedWishes } from "./entry.js";
import { readerNameOf } from "./query.js";
import { type FeedReading, NoFeedError } from "./read-feed.js";
import type { ReadFeed } from "./reading-thread.js";
import type { FeedChange, FeedProblem, FeedRecord, FeedStore, ProblemKind } from "./store.js";

export interface RefreshDeps {
  readonly feeds: FeedStore;
  readonly http: HttpClient;
  readonly readFeed: ReadFeed;
  readonly pauses: Pauses;
  readonly log: Logger;
  readonly now: () => number;
}

/** What was done for a feed. */
export interface Refresh {
  /** Requests sent. */
  readonly requests: number;
  /** Entries that could not be read. */
  readonly skipped: number;
}

/**
 * Fetches a feed if it is due and no other process does, and stores its new items and its state in one commit. A failure of
 * the feed is part of its state; throws the reason of the signal.
 */
export async function refreshFeed(deps: RefreshDeps, record: FeedRecord, signal: AbortSignal): Promise<Refresh> {
  const claim = await deps.feeds.claim(record);
  if (claim === undefined) return { requests: 0, skipped: 0 };
  failpoint("collector.news.claimed");
  const attempt: Attempt = { claim, startedAt: deps.now() };
  try {
    const answer = await fetchFeed(deps.http, claim.record, signal);
    failpoint("collector.news.fetched");
    return { requests: 1, skipped: await settle(deps, attempt, answer) };
  } catch (error) {
    // Another poll may fetch it at once.
    await claim.reschedule(record.dueAt).catch(() => undefined);
    throw error;
  }
}

interface Attempt {
  readonly claim: DueClaim<FeedRecord>;
  /** The next time counts from here, so that a poll of the same interval never comes just too early. */
  readonly startedAt: number;
}

/** Returns the number of entries that could not be read. */
async function settle(deps: RefreshDeps, attempt: Attempt, answer: FeedAnswer): Promise<number> {
  switch (answer.kind) {
    case "problem":
      await settleProblem(deps, attempt, answer);
      return 0;
    case "unchanged":
      await deps.feeds.settle(attempt.claim, answeredChange(deps, attempt, answer.at));
      return 0;
    case "document":
      return settleDocument(deps, attempt, answer);
  }
}

interface Failed {
  readonly problem: FeedProblem;
  readonly at: FeedAt;
}

async function settleProblem(deps: RefreshDeps, { claim }: Attempt, { problem, at }: Failed): Promise<void> {
  const { id, url, address, failures: before } = claim.record;
  const failures = before + 1;
  // Where the feed moved to, there is none: next time the address that was named is tried again.
  const hasMoved = address !== url && (problem.kind === "refused" || problem.kind === "gone");
  const kind = hasMoved ? "refused" : problem.kind;
  const dueAt = nextTimeAfterFailure({ kind, freshness: at.freshness, failures }, deps.pauses, deps.now());
  deps.log.info({ feed: id, host: new URL(url).host, failures, problem: problem.message }, "a feed could not be read");
  const home = hasMoved ? { address: url, etag: null, lastModified: null } : {};
  await deps.feeds.settle(claim, { ...home, dueAt, failures, failedAt: deps.now(), problem });
}

type Document = Extract<FeedAnswer, { kind: "document" }>;

async function settleDocument(deps: RefreshDeps, attempt: Attempt, answer: Document): Promise<number> {
  const { at, bytes, contentType } = answer;
  const { claim } = attempt;
  const documentHash = createHash("sha256").update(bytes).digest("base64url");
  const validators = { etag: at.etag, lastModified: at.lastModified, documentHash };
  if (documentHash === claim.record.documentHash) {
    await deps.feeds.settle(claim, { ...answeredChange(deps, attempt, at), ...validators });
    return 0;
  }
  const name = readerNameOf(claim.record.url);
  const reading = await readingOf(deps, { bytes, contentType, url: at.url, name, readAt: deps.now() });
  if ("problem" in reading) {
    await settleProblem(deps, attempt, { problem: reading.problem, at });
    return 0;
  }
  const { wishes, postings, skipped, isCut, lacksNewest, isTruncated } = reading;
  // What a truncated document lacks must not be answered with 304, as its validators may be those of the whole one.
  const known = isTruncated ? { etag: null, lastModified: null, documentHash: null } : validators;
  const change = { ...answeredChange(deps, attempt, at, wishes), ...known, isCut, lacksNewest };
  await deps.feeds.settleWith(claim, change, postings);
  return skipped;
}

/** The state of a feed that was answered. A 304 repeats no validators; they stay. */
function answeredChange(
  { pauses, now }: RefreshDeps,
  { claim, startedAt }: Attempt,
  { address, freshness }: FeedAt,
  wishes = claim.record.wishes,
): FeedChange {
  const dueAt = nextTime({ wishes, freshness }, pauses, startedAt);
  return { dueAt, address, wishes, readAt: now(), failures: 0, problem: null };
}

async function readingOf(
  { readFeed }: RefreshDeps,
  document: Parameters<ReadFeed>[0],
): Promise<FeedReading | { readonly problem: FeedProblem }> {
  try {
    return await readFeed(document);
  } catch (error) {
    if (!(error instanceof NoFeedError)) throw error;
    return { problem: problemOfDocument(error.reason) };
  }
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Shortest pause between two requests of one feed, and the pause if the feed wishes none. */
const FLOOR_MS = 5 * MINUTE_MS;
const DEFAULT_MS = 15 * MINUTE_MS;
/** Longest pause. */
const CEILING_MS = DAY_MS;
const TEMPORARY_MS_MAX = HOUR_MS;
/** Pause after a server said that the feed is gone for good: some say so by mistake, and some feeds come back. */
const GONE_MS = 7 * DAY_MS;
const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const PERIODS: Readonly<Record<string, number>> = {
  hourly: HOUR_MS,
  daily: DAY_MS,
  weekly: 7 * DAY_MS,
  monthly: 30 * DAY_MS,
  yearly: 365 * DAY_MS,
};

/** How often the operator has feeds fetched. */
export interface Pauses {
  /** Milliseconds between two collections. */
  readonly intervalMs: number;
  /** Whether the operator set it: then it beats the wishes of feeds and the floor, but never a Retry-After. */
  readonly isExplicit: boolean;
}

interface Wishes {
  readonly wishes: FeedWishes;
  readonly freshness: Freshness;
}

/** When a feed that was answered may be fetched next, in milliseconds since the epoch. */
export function nextTime({ wishes, freshness }: Wishes, pauses: Pauses, now: number): number {
  if (pauses.isExplicit) return now + pauses.intervalMs;
  const wished = [(wishes.ttlMinutes ?? 0) * MINUTE_MS, periodOf(wishes), maxAgeOf(freshness)].filter(isUseful);
  const pause = wished.length === 0 ? DEFAULT_MS : Math.max(...wished);
  const next = now + clamp(pause, Math.max(FLOOR_MS, pauses.intervalMs));
  return Math.min(afterSkips(next, wishes), now + CEILING_MS);
}

interface Failure {
  readonly kind: ProblemKind;
  readonly freshness: Freshness;
  /** Failed attempts in sequence, with this one. */
  readonly failures: number;
}

/** When a feed that failed may be fetched next. Each failure doubles the pause; one that is gone is probed once a week. */
export function nextTimeAfterFailure({ kind, freshness, failures }: Failure, pauses: Pauses, now: number): number {
  if (kind === "gone") return now + GONE_MS;
  const longest = kind === "refused" ? CEILING_MS : Math.max(TEMPORARY_MS_MAX, pauses.intervalMs);
  const pause = pauseAfter({ firstMs: 2 * pauses.intervalMs, maxMs: longest, jitter: 0 }, failures);
  return now + Math.max(pause, Math.min(retryAfterOf(freshness, now), CEILING_MS));
}

function isUseful(pause: number): boolean {
  return Number.isFinite(pause) && pause > 0;
}

function clamp(pause: number, floor: number): number {
  return Math.min(Math.max(pause, floor), CEILING_MS);
}

function periodOf({ updatePeriod, updateFrequency = 1 }: FeedWishes): number {
  const period = PERIODS[updatePeriod?.trim().toLowerCase() ?? ""] ?? 0;
  return updateFrequency > 0 ? period / updateFrequency : 0;
}

/** What is left of the lifetime of a cached answer. */
function maxAgeOf({ cacheControl = "", age = "" }: Freshness): number {
  const maxAge = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/i.exec(cacheControl)?.[1];
  const spent = /^\d{1,9}$/.test(age) ? Number(age) : 0;
  return maxAge === undefined ? 0 : (Number(maxAge) - spent) * SECOND_MS;
}

/** Milliseconds from now; 0 if the server states none. */
function retryAfterOf({ retryAfter = "" }: Freshness, now: number): number {
  if (/^\s*\d{1,9}\s*$/.test(retryAfter)) return Number(retryAfter) * SECOND_MS;
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? 0 : Math.max(until - now, 0);
}

/** The first time from `next` on that lies in no hour or day that the feed excludes. */
function afterSkips(next: number, { skipHours = [], skipDays = [] }: FeedWishes): number {
  // Some feeds count the hours from 1 to 24.
  const hours = new Set(skipHours.map((hour) => hour % 24));
  const days = new Set(skipDays.map((day) => DAYS.indexOf(day.trim().toLowerCase())));
  const isSkipped = (time: number): boolean => {
    const date = new Date(time);
    return hours.has(date.getUTCHours()) || days.has(date.getUTCDay());
  };
  let time = next;
  for (let hour = 0; hour < 24 && isSkipped(time); hour++) time = Math.floor(time / HOUR_MS) * HOUR_MS + HOUR_MS;
  return time;
}
