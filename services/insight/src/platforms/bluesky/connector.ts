import { setTimeout as sleep } from "node:timers/promises";
import type { Connector, Page, PageRequest, Plan } from "../connector.js";
import { type Position, positionOf, toJson } from "./position.js";
import type { ItemRecord, QueryRecord, StreamRecord } from "./store/records.js";
import { digestOf } from "./stream/batch.js";
import { NOT_READ, type Reading, type ReadingDeps, readStream } from "./stream/read-stream.js";
import { keywordsOf } from "./keywords.js";

const MINUTE_MS = 60_000;
/** What Jetstream is sure to keep. */
const LOOK_BACK_MS = 24 * 60 * MINUTE_MS;
/** How long a new search waits for another one that is reading the stream. */
const OTHERS_MS = 25_000;
const LOOK_AGAIN_MS = 200;
const PREVIEW_ITEMS = 1000;

/**
 * Bluesky by its stream of events. A poll reads the stream on, once for all searches, and then what of it matches the own
 * query, from its own position.
 */
export function createBlueskyConnector(deps: ReadingDeps): Connector {
  return {
    mode: "stream",
    lookBackMs: LOOK_BACK_MS,
    intervalMinMs: MINUTE_MS,
    plan: () => planOf(deps),
    fetchPage: (request) => fetchPage(deps, request),
  };
}

function planOf({ url }: ReadingDeps): Plan {
  return {
    queries: [`the posts of ${new URL(url).host}`],
    narrowedLocally: true,
    cost: "at most 2 connections a minute, shared by all searches",
    warnings: ["Posts are read from 15 minutes before the first poll on; older ones are not found."],
  };
}

async function fetchPage(deps: ReadingDeps, request: PageRequest): Promise<Page> {
  const { search, signal, pageToken, cursor } = request;
  signal.throwIfAborted();
  const keywords = keywordsOf(search.query);
  const query = await deps.streams.register(digestOf(keywords), keywords, search);
  const position = positionOf(pageToken) ?? positionOf(cursor) ?? { seq: 0, behind: null };
  const isReading = pageToken === null || position.behind !== null;
  const reading = isReading ? await readAll(deps, signal) : NOT_READ;
  const stream = await deps.streams.stream();
  const { requests, skipped } = reading;
  const page = await readItems(deps, query, { request, position, stream, isReading: reading.isRead });
  return { ...page, requests, skipped, gaps: gapsOf(stream, query, request.since, deps.now()) };
}

/** Reads the stream, or waits for who reads it while a new query has not been looked for yet. */
async function readAll(deps: ReadingDeps, signal: AbortSignal): Promise<Reading> {
  const until = performance.now() + OTHERS_MS;
  for (;;) {
    const reading = await readStream(deps, signal);
    const { rewindTo } = await deps.streams.stream();
    if (reading.isRead || rewindTo === null || performance.now() > until) return reading;
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}

interface At {
  readonly request: PageRequest;
  readonly position: Position;
  readonly stream: StreamRecord;
  readonly isReading: boolean;
}

async function readItems(
  { streams, now }: ReadingDeps,
  query: QueryRecord,
  { request: { search, limit, since }, position, stream, isReading }: At,
): Promise<Pick<Page, "postings" | "nextPage" | "cursor">> {
  const behind = isReading && stream.nextAt <= now() ? stream.cursor : null;
  if (search.preview) {
    const items = await streams.newestItems(query.id, PREVIEW_ITEMS);
    const next = { seq: position.seq, behind };
    return { ...contentsOf(items, since), nextPage: behind === null ? null : toJson(next), cursor: null };
  }
  const items = await streams.itemsAfter(query.id, position.seq, limit);
  const next = { seq: items.at(-1)?.seq ?? position.seq, behind };
  const isLast = items.length < limit && behind === null;
  return {
    ...contentsOf(items, since),
    nextPage: isLast ? null : toJson(next),
    cursor: toJson({ ...next, behind: null }),
  };
}

/** What is read, and what is to be erased because its author took it away. */
function contentsOf(
  items: readonly ItemRecord[],
  since: number,
): Pick<Page, "postings"> & { readonly gone?: string[] } {
  const isWanted = ({ time }: ItemRecord): boolean => time >= since * 1000;
  const postings = items.filter(isWanted).flatMap(({ posting }) => posting ?? []);
  const gone = items.filter(({ state }) => state === "gone").map(({ post }) => post);
  return { postings, ...(gone.length > 0 && { gone }) };
}

/** What the search may miss: from before it came, what the stream no longer had, and what is still to be read. */
function gapsOf(stream: StreamRecord, query: QueryRecord, since: number, now: number): NonNullable<Page["gaps"]> {
  const { gaps, readUntil, nextAt } = stream;
  const behind = nextAt <= now ? (readUntil ?? since) : now;
  return [
    { from: since, to: query.coversFrom, reason: "before_window" as const },
    ...gaps.map(({ from, to }) => ({ from: Math.max(from, since), to, reason: "before_window" as const })),
    { from: Math.max(since, behind), to: now, reason: "pending" as const },
  ].filter(({ from, to }) => from < to);
}
