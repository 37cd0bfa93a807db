import { failpoint, type Logger } from "@hourglass/runtime";
import type { Query } from "../../query/ast.js";
import { QuerySyntaxError } from "../../query/lexer.js";
import { parseQuery } from "../../query/parser.js";
import { compileQueries, type MultiMatcher } from "../../query/multi-matcher.js";
import { searchedTextsOf } from "../posting-draft.js";
import { addressOf, readEvent, type StreamEvent } from "./api.js";
import { readFrames, type StreamTimes } from "./jetstream.js";
import { toPosting } from "./posting.js";
import {
  digestOf,
  type ItemRecord,
  keptFrom,
  type QueryRecord,
  type Span,
  type StreamClaim,
  type StreamRecord,
  type StreamStore,
} from "./store.js";

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

export interface StreamSource {
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

/** Reads the stream for all searches, in as many processes as there are: one of them at a time. */
export class StreamReader {
  constructor(
    private readonly streams: StreamStore,
    private readonly source: StreamSource,
  ) {}

  /**
   * Reads the stream on from where it was read last, for all queries, until now or for some seconds, and stores what
   * matches. Whatever ends it, the next call continues from the last write. Throws PlatformError, and the reason of the signal.
   */
  async read(signal: AbortSignal): Promise<Reading> {
    const claim = await this.streams.claim();
    if (claim === undefined) return NOT_READ;
    failpoint("collector.bluesky.claimed");
    try {
      const skipped = await this.readClaimed(claim, signal);
      await this.streams.sweep();
      return { requests: 1, skipped, isRead: true };
    } catch (error) {
      // Another poll may read it at once.
      await claim.reschedule(this.source.now()).catch(() => undefined);
      throw error;
    }
  }

  private async readClaimed(claim: StreamClaim, signal: AbortSignal): Promise<number> {
    const { url, times, log, now } = this.source;
    const matcher = matcherOf(await this.streams.activeQueries(), log);
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
      const stored = await this.store(claim, { at, batch, isEnd, isCurrent, startedAt });
      if (stored === undefined || isEnd) break;
      at = stored;
      batch = new Batch(matcher, now);
    }
    return skipped;
  }

  /** Stores a part of a reading; undefined if the claim was lost, or if the stream has to be read again. */
  private async store(
    claim: StreamClaim,
    { at, batch, isEnd, isCurrent, startedAt }: Part,
  ): Promise<StreamRecord | undefined> {
    const { now } = this.source;
    const items = await batch.changes(this.streams);
    const cursor = Math.max(at.cursor ?? 0, batch.last ?? 0);
    const readUntil = isCurrent ? startedAt : Math.floor(cursor / MICRO);
    const gaps = [...at.gaps, ...gapBefore(at, batch, startedAt)].slice(-GAPS_MAX);
    const ends = isEnd ? { dueAt: now(), nextAt: isCurrent ? startedAt + PAUSE_MS : now() } : undefined;
    failpoint("collector.bluesky.matched");
    const isStored = await this.streams.settle(claim, at, { cursor, readUntil, gaps, ends }, items);
    failpoint("collector.bluesky.stored");
    if (!isStored) {
      if (isEnd) await claim.reschedule(now());
      return undefined;
    }
    return { ...at, cursor, readUntil, gaps, rewindTo: null, seq: at.seq + items.length };
  }
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

/** A stream that is asked for what it no longer has begins with the oldest that it has. */
function gapBefore({ cursor }: StreamRecord, { first }: Batch, startedAt: number): Span[] {
  const from = Math.floor((cursor ?? 0) / MICRO);
  const to = Math.floor((first ?? 0) / MICRO);
  return startedAt - from > KEPT_MS_MIN && to - from > MINUTE_MS ? [{ from, to }] : [];
}

/** A query that another release accepted and this one does not understand is left to its search, which says so. */
function matcherOf(records: readonly QueryRecord[], log: Logger): MultiMatcher<string> {
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

/** An item without its number, which it gets when it is stored. */
const UNNUMBERED = 0;

/** What events mean for the stored items, until it is stored. Holds only what matches, and what is gone. */
class Batch {
  /** Times of the first and the last event, in microseconds since the epoch; undefined: there was none. */
  first: number | undefined;
  last: number | undefined;
  /** Frames that could not be read as events. */
  skipped = 0;
  events = 0;
  private readonly matching = new Map<string, ItemRecord>();
  /** Time of the last event by what is gone. */
  private readonly gonePosts = new Map<string, number>();
  private readonly goneAuthors = new Map<string, number>();

  constructor(
    private readonly matcher: MultiMatcher<string>,
    private readonly now: () => number,
  ) {}

  get size(): number {
    return this.matching.size + this.gonePosts.size + this.goneAuthors.size;
  }

  add(frame: string): void {
    this.events += 1;
    const event = readEvent(frame);
    if (event === undefined) this.skipped += 1;
    else this.note(event);
  }

  /** The items that become new, different or gone. What was read before changes nothing. */
  async changes(store: StreamStore): Promise<ItemRecord[]> {
    const known = await store.known([...this.matching.keys()]);
    const fresh = [...this.matching.values()].filter((item) => item.time > (known.get(item.id)?.time ?? -1));
    const stored = [
      ...(await store.ofPosts([...this.gonePosts.keys()])),
      ...(await store.ofAuthors([...this.goneAuthors.keys()])),
    ];
    const gone = new Map<string, ItemRecord>();
    for (const item of [...stored, ...fresh]) {
      const time = Math.max(this.gonePosts.get(item.post) ?? -1, this.goneAuthors.get(item.author) ?? -1);
      if (time < item.time || (time === item.time && item.state === "gone")) continue;
      gone.set(item.id, { ...item, time, state: "gone", posting: null, keptUntil: keptFrom(this.now()) });
    }
    return [...fresh.filter(({ id }) => !gone.has(id)), ...gone.values()];
  }

  private note(event: StreamEvent): void {
    const { time } = event;
    this.first ??= time;
    this.last = Math.max(this.last ?? 0, time);
    if (event.kind === "gone") this.gonePosts.set(event.post, time);
    else if (event.kind === "author_gone") this.goneAuthors.set(event.did, time);
    else if (event.kind === "post") this.match(event);
  }

  private match(event: Extract<StreamEvent, { kind: "post" }>): void {
    const posting = toPosting(event);
    const [post, author] = [addressOf(event.did, event.rkey), event.did];
    for (const query of this.matcher.match(searchedTextsOf(posting))) {
      const id = `${query}:${digestOf(post)}`;
      const state = { state: "kept", posting, keptUntil: keptFrom(this.now()) } as const;
      this.matching.set(id, { id, query, seq: UNNUMBERED, post, author, time: event.time, ...state });
    }
  }
}
