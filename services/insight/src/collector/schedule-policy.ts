import type { RetryPolicy } from "@hourglass/runtime";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Polls at a time in one process. */
export const POLLS_CONCURRENT = 16;
/** Interval between checks for due polls. */
export const CHECK_EVERY_MS = SECOND;
/** Due polls that are read at once to share them fairly between companies. */
export const LOOK_AHEAD = 5000;
/** How long a claim lasts without a renewal. */
export const LEASE_MS = MINUTE;
/** First polls of new and resumed searches are spread over this time. */
export const FIRST_SPREAD_MS = SECOND;

/** Pages of one turn of a poll; the next turn continues. */
export const TURN_PAGES_MAX = 20;
/** Pages of one poll; the rest is left out. */
export const POLL_PAGES_MAX = 200;
/** Postings asked for per page. */
export const PAGE_POSTINGS = 100;
/** Newest postings of a preview. */
export const PREVIEW_POSTINGS = 25;
/** A connector that takes longer for a page has failed. */
export const PAGE_MS_MAX = 2 * MINUTE;

/** When a page is asked for again; a restart of a server takes seconds to a minute. */
export const PAGE_RETRY = {
  firstMs: 5 * SECOND,
  factor: 3,
  maxMs: MINUTE,
  jitter: 0.2,
  attemptsMax: 5,
} as const satisfies RetryPolicy;

/** Polls of one search that its platform refuses in sequence until the search pauses. */
export const REFUSALS_MAX = 3;
/** Pause of one search that failed repeatedly; other searches of the platform continue. */
export const SEARCH_PAUSE_MS = 15 * MINUTE;
/** Searches of one platform that fail in sequence until this process asks the platform nothing. */
export const PLATFORM_FAILURES_MAX = 20;
/** Time for which this process then asks the platform nothing. */
export const PLATFORM_CIRCUIT_MS = 2 * MINUTE;
/** Time without polls of a platform that rejects the credentials. */
export const AUTH_RECHECK_MS = 60 * MINUTE;
/** A preview does not wait longer for a platform. */
export const PREVIEW_PATIENCE_MS = 5 * MINUTE;

/** Lateness of a poll from which a setback of its work counts as a standstill. */
export const STALLED_AFTER_MS = 2 * MINUTE;
/** Lateness of a poll from which it counts as one that no process takes. */
export const UNTAKEN_AFTER_MS = 10 * MINUTE;

/** Part of a term after which a stored posting is looked up. */
export const RECHECK_AFTER = 0.75;
/** Rounds over the stored postings of a company that begin within one term. */
export const RECHECK_ROUNDS = 8;
/** Part of each budget that look-ups of stored postings may spend. */
export const RECHECK_SHARE = 0.25;
/** Batches of one turn of a round; the next turn continues. */
export const RECHECK_BATCHES_MAX = 20;
/** Stored postings that are read for one batch. */
export const RECHECK_READ_MAX = 5_000;
/** How long a claim of a round lasts without a renewal: longer than a batch may take. */
export const RECHECK_LEASE_MS = 3 * MINUTE;
/** Interval between two looks for companies with new platforms. */
export const RECHECK_SEED_MS = 60 * MINUTE;

/** How often searches are polled. */
export interface Cadence {
  intervalMs: number;
  /** Whether the operator has set the interval: it then goes before the connector's own, and before hints. */
  isExplicit: boolean;
}

/** At most this long after a permitted time, so that searches that wait for the same time do not start at once. */
const SPREAD_MS_MAX = 10_000;

/**
 * When a search is polled next: at its own phase of the interval, so that polls are spread evenly however they began, and
 * turns that were missed collapse into one. Never before the time that the platform permits.
 */
export function nextPollAt(
  id: string,
  { cadence, connector, now }: { cadence: Cadence; connector: { readonly intervalMinMs: number }; now: number },
  { hintNextAt, notBefore }: { hintNextAt?: number; notBefore?: number } = {},
): number {
  const { intervalMs, isExplicit } = cadence;
  const interval = isExplicit ? intervalMs : Math.max(intervalMs, connector.intervalMinMs);
  const earliest = Math.max(now + interval / 2, isExplicit ? 0 : (hintNextAt ?? 0));
  const slot = slotFrom(earliest, { interval, phase: fractionOf(id) * interval });
  return notBefore === undefined ? slot : Math.max(slot, spread(id, notBefore, interval));
}

/** A time soon after the given one, different for each search. */
export function spread(id: string, time: number, spreadMs = SPREAD_MS_MAX): number {
  return time + Math.floor(fractionOf(id) * Math.min(spreadMs, SPREAD_MS_MAX));
}

/** The first time of a phase that is not before the given one. */
function slotFrom(time: number, { interval, phase }: { interval: number; phase: number }): number {
  return Math.ceil(Math.ceil((time - phase) / interval) * interval + phase);
}

/** At least 0, less than 1, evenly distributed over ids (FNV-1a, mixed as in MurmurHash 3). */
function fractionOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
