import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "@hourglass/runtime";
import * as z from "zod";
import type { Connector, Page, PageRequest, Plan } from "../connector.js";
import {
  digestOf,
  type ItemRecord,
  keywordsOf,
  type QueryRecord,
  type StreamRecord,
  type StreamStore,
} from "./store.js";
import { NOT_READ, type Reading, StreamReader, type StreamSource } from "./stream.js";

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
export class BlueskyConnector implements Connector {
  readonly mode = "stream";
  readonly lookBackMs = LOOK_BACK_MS;
  readonly intervalMinMs = MINUTE_MS;
  private readonly reader: StreamReader;

  constructor(
    private readonly streams: StreamStore,
    private readonly source: StreamSource,
  ) {
    this.reader = new StreamReader(streams, source);
  }

  plan(): Plan {
    return {
      queries: [`the posts of ${new URL(this.source.url).host}`],
      narrowedLocally: true,
      cost: "at most 2 connections a minute, shared by all searches",
      warnings: ["Posts are read from 15 minutes before the first poll on; older ones are not found."],
    };
  }

  async fetchPage(request: PageRequest): Promise<Page> {
    const { search, signal, pageToken, cursor } = request;
    signal.throwIfAborted();
    const keywords = keywordsOf(search.query);
    const query = await this.streams.register(digestOf(keywords), keywords, search);
    const position = positionOf(pageToken) ?? positionOf(cursor) ?? { seq: 0, behind: null };
    const isReading = pageToken === null || position.behind !== null;
    const reading = isReading ? await this.readStream(signal) : NOT_READ;
    const stream = await this.streams.stream();
    const { requests, skipped } = reading;
    const page = await this.readItems(query, { request, position, stream, isReading: reading.isRead });
    return { ...page, requests, skipped, gaps: gapsOf(stream, query, request.since, this.source.now()) };
  }

  /** Reads the stream, or waits for the process that reads it while a new query has not been looked for yet. */
  private async readStream(signal: AbortSignal): Promise<Reading> {
    const until = performance.now() + OTHERS_MS;
    for (;;) {
      const reading = await this.reader.read(signal);
      const { rewindTo } = await this.streams.stream();
      if (reading.isRead || rewindTo === null || performance.now() > until) return reading;
      await sleep(LOOK_AGAIN_MS, undefined, { signal });
    }
  }

  private async readItems(
    query: QueryRecord,
    { request: { search, limit, since }, position, stream, isReading }: At,
  ): Promise<Pick<Page, "postings" | "nextPage" | "cursor">> {
    const behind = isReading && stream.nextAt <= this.source.now() ? stream.cursor : null;
    if (search.preview) {
      const items = await this.streams.newestItems(query.id, PREVIEW_ITEMS);
      const next = { seq: position.seq, behind };
      return { ...contentsOf(items, since), nextPage: behind === null ? null : toJson(next), cursor: null };
    }
    const items = await this.streams.itemsAfter(query.id, position.seq, limit);
    const next = { seq: items.at(-1)?.seq ?? position.seq, behind };
    const isLast = items.length < limit && behind === null;
    return {
      ...contentsOf(items, since),
      nextPage: isLast ? null : toJson(next),
      cursor: toJson({ ...next, behind: null }),
    };
  }
}

interface At {
  readonly request: PageRequest;
  readonly position: Position;
  readonly stream: StreamRecord;
  readonly isReading: boolean;
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

const schema = z.object({
  /** Number of the last item that the search has read. */
  seq: z.int().nonnegative(),
  /** While the stream is behind: how far it was read, so that pages of one poll differ. */
  behind: z.number().nullable(),
});

/** Where a search stands. */
type Position = Readonly<z.output<typeof schema>>;

/** The position that `toJson` wrote; undefined for null and for what it did not write. */
function positionOf(json: Json): Position | undefined {
  return schema.safeParse(json).data;
}

function toJson({ seq, behind }: Position): Json {
  return { seq, behind };
}
