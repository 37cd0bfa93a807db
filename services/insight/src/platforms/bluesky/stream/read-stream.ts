import { failpoint, type Logger } from "@hourglass/runtime";
import { compileQueries, type ManyMatcher } from "../../../query/match/match-many.js";
import type { Query } from "../../../query/language/expression.js";
import { parseQuery } from "../../../query/language/parse.js";
import { QuerySyntaxError } from "../../../query/language/syntax-error.js";
import type { QueryRecord, Span, StreamRecord } from "../store/records.js";
import type { StreamClaim, StreamStore } from "../store/stream-store.js";
import { Batch } from "./batch.js";
import { readFrames, type StreamTimes } from "./read-frames.js";

const MICRO = 1000;
const MINUTE_MS = 60_000;
/** The stream is read again no sooner, however many searches poll. */
const PAUSE_MS = MINUTE_MS / 2;
/** Time of one reading; what is left is read with the next page. */
const READING_MS = 20_000;
/** Events, and what they change, between two writes. */
const EVENTS_MAX = 20_000;
const CHANGES_MAX = 2_000;
/** Events near a cursor may come in another order after a reconnection. */
const OVERLAP_MS = 2_000;
/** Jetstream keeps more than that, so nothing is missing after a shorter absence. */
const KEPT_MS_MIN = 12 * 60 * MINUTE_MS;
const GAPS_MAX = 20;

export interface ReadingDeps {
  readonly streams: StreamStore;
  readonly url: string;
  readonly times: StreamTimes;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What a reading of the stream did. */
export interface Reading {
  /** Connections. */
  readonly requests: number;
  readonly skipped: number;
  /** False: another process reads the stream, or it was read just now. */
  readonly isRead: boolean;
}

export const NOT_READ: Reading = { requests: 0, skipped: 0, isRead: false };

/**
 * Reads the stream on from where it was read last, for all queries, until now or for some seconds, and stores what
 * matches. Whatever ends it, the next one continues from the last write. Throws PlatformError, and the reason of the signal.
 */
export async function readStream(deps: ReadingDeps, signal: AbortSignal): Promise<Reading> {
  const claim = await deps.streams.claim();
  if (claim === undefined) return NOT_READ;
  failpoint("collector.bluesky.claimed");
  try {
    const skipped = await read(deps, claim, signal);
    await deps.streams.sweep();
    return { requests: 1, skipped, isRead: true };
  } catch (error) {
    // Another poll may read it at once.
    await claim.reschedule(deps.now()).catch(() => undefined);
    throw error;
  }
}

async function read(deps: ReadingDeps, claim: StreamClaim, signal: AbortSignal): Promise<number> {
  const { streams, url, times, now } = deps;
  const matcher = matcherOf(await streams.activeQueries(), deps.log);
  const startedAt = now();
  const until = performance.now() + READING_MS;
  let at = startOf(claim.record, startedAt);
  let batch = new Batch(matcher, now);
  let skipped = 0;
  const cursor = Math.max(0, (at.cursor ?? 0) - OVERLAP_MS * MICRO);
  for await (const frames of readFrames({ url, cursor, times, signal, now })) {
    for (const frame of frames) batch.add(frame);
    const isCurrent = frames.length === 0 || (batch.last ?? 0) >= startedAt * MICRO;
    const isEnd = isCurrent || performance.now() > until;
    if (!isEnd && batch.events < EVENTS_MAX && batch.size < CHANGES_MAX) continue;
    skipped += batch.skipped;
    const stored = await store(deps, claim, { at, batch, isEnd, isCurrent, startedAt });
    if (stored === undefined || isEnd) break;
    at = stored;
    batch = new Batch(matcher, now);
  }
  return skipped;
}

/** A new query has the stream read again from before it came. */
function startOf(record: StreamRecord, now: number): StreamRecord {
  const { cursor, rewindTo } = record;
  const wanted = rewindTo === null ? (cursor ?? now * MICRO) : Math.min(cursor ?? Infinity, rewindTo * MICRO);
  return { ...record, cursor: wanted };
}

interface Part {
  readonly at: StreamRecord;
  readonly batch: Batch;
  readonly isEnd: boolean;
  readonly isCurrent: boolean;
  readonly startedAt: number;
}

/** Stores a part of a reading; undefined if the claim was lost, or if the stream has to be read again. */
async function store(
  { streams, now }: ReadingDeps,
  claim: StreamClaim,
  { at, batch, isEnd, isCurrent, startedAt }: Part,
): Promise<StreamRecord | undefined> {
  const items = await batch.changes(streams);
  const cursor = Math.max(at.cursor ?? 0, batch.last ?? 0);
  const readUntil = isCurrent ? startedAt : Math.floor(cursor / MICRO);
  const gaps = [...at.gaps, ...gapBefore(at, batch, startedAt)].slice(-GAPS_MAX);
  const ends = isEnd ? { dueAt: now(), nextAt: isCurrent ? startedAt + PAUSE_MS : now() } : undefined;
  failpoint("collector.bluesky.matched");
  const isStored = await streams.settle(claim, at, { cursor, readUntil, gaps, ends }, items);
  failpoint("collector.bluesky.stored");
  if (!isStored) {
    if (isEnd) await claim.reschedule(now());
    return undefined;
  }
  return { ...at, cursor, readUntil, gaps, rewindTo: null, seq: at.seq + items.length };
}

/** A stream that is asked for what it no longer has begins with the oldest that it has. */
function gapBefore({ cursor }: StreamRecord, { first }: Batch, startedAt: number): Span[] {
  const from = Math.floor((cursor ?? 0) / MICRO);
  const to = Math.floor((first ?? 0) / MICRO);
  return startedAt - from > KEPT_MS_MIN && to - from > MINUTE_MS ? [{ from, to }] : [];
}

/** A query that another release accepted and this one does not understand is left to its search, which says so. */
function matcherOf(records: readonly QueryRecord[], log: Logger): ManyMatcher<string> {
  const queries = records.flatMap(({ id, keywords }): (readonly [string, Query])[] => {
    try {
      return [[id, parseQuery(keywords)]];
    } catch (error) {
      if (!(error instanceof QuerySyntaxError)) throw error;
      log.warn({ err: error, query: id }, "a query of bluesky is not understood");
      return [];
    }
  });
  return compileQueries(queries);
}
