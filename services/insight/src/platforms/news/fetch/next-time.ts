import type { FeedWishes } from "../feed/entry.js";
import type { ProblemKind } from "../store/feed-record.js";
import type { Freshness } from "./fetch-feed.js";

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

export interface Wishes {
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

export interface Failure {
  readonly kind: ProblemKind;
  readonly freshness: Freshness;
  /** Failed attempts in sequence, with this one. */
  readonly failures: number;
}

/** When a feed that failed may be fetched next. Each failure doubles the pause; one that is gone is probed once a week. */
export function nextTimeAfterFailure({ kind, freshness, failures }: Failure, pauses: Pauses, now: number): number {
  if (kind === "gone") return now + GONE_MS;
  const longest = kind === "refused" ? CEILING_MS : Math.max(TEMPORARY_MS_MAX, pauses.intervalMs);
  const pause = Math.min(pauses.intervalMs * 2 ** Math.min(failures, 30), longest);
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
