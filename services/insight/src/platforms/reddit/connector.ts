import type { Json } from "@hourglass/runtime";
import * as z from "zod";
import {
  type Connector,
  type LookUp,
  type LookUpRequest,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
  type Rechecks,
} from "../connector.js";
import { readEach } from "../schemas.js";
import { type ListingPage, PAGE_THINGS, readThing, type RedditApi, type RedditThing } from "./api.js";
import { isGone, toPosting } from "./posting.js";
import {
  divided,
  type FollowedByServer,
  keyOf,
  nameOf,
  queriesFor,
  type Stream,
  streamsOf,
  warningsOf,
} from "./query.js";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** After a longer pause, Reddit's listings hardly reach back so far. */
const LOOK_BACK_MS = 30 * DAY_MS;
/** What a stream that is new to a search looks back. */
const NEW_STREAM_MS = 7 * DAY_MS;
/** Reddit finds some things minutes after they were posted. */
const LAG_MS = 10 * MINUTE_MS;
/** A stream that ends after so many things may have ended because Reddit lists no more: often 250 of a search, else 1,000. */
const ENDS_AFTER = { search: 225, submissions: 900, comments: 900 } as const;
/** Most is deleted soon. */
const NEW_MS = 14 * DAY_MS;
const ID = /^t[13]_[a-z0-9]{1,16}$/;

export interface RedditOptions {
  readonly followed: FollowedByServer;
  readonly requestsPerMinute: number;
  readonly now: () => number;
}

/** Reddit's search of submissions, and what is new in followed subreddits. Stored things are looked up by their fullnames. */
export class RedditConnector implements Connector {
  readonly mode = "search";
  readonly lookBackMs = LOOK_BACK_MS;
  readonly intervalMinMs = MINUTE_MS;
  readonly idsOnly = true;
  /** New things are looked up every two days, as integrators of Reddit do, others weekly. */
  readonly rechecks: Rechecks = {
    idsMax: PAGE_THINGS,
    termMs: (ageMs) => (ageMs < NEW_MS ? 2 : 7) * DAY_MS,
    lookUp: (request) => this.lookUp(request),
  };

  constructor(
    private readonly api: RedditApi,
    private readonly options: RedditOptions,
  ) {}

  plan(search: PlatformSearch): Plan {
    const { followed: server, requestsPerMinute } = this.options;
    const queries = queriesFor(search.query);
    const streams = streamsOf({ search, queries, server });
    const isFollowing = streams.length > queries.requests.length;
    return {
      queries: streams.map(nameOf),
      narrowedLocally: isFollowing || queries.narrowedLocally,
      cost: `1 request for up to 100 postings; this server sends at most ${requestsPerMinute} a minute for all insights`,
      warnings: warningsOf({ search, queries, server }),
    };
  }

  async fetchPage(request: PageRequest): Promise<Page> {
    request.signal.throwIfAborted();
    const { followed: server, now } = this.options;
    const { search, pageToken, cursor } = request;
    const searched = { search, queries: queriesFor(search.query), server };
    const position = positionOf(pageToken, cursor, streamsOf(searched));
    const [stream] = position.todo;
    if (stream === undefined) {
      const message = "Reddit cannot be asked for any of these keywords. Change them, or name subreddits to follow.";
      throw new PlatformError("permanent", message, { requests: 0 });
    }
    const listing = await this.api.listing(stream, position.after, request.signal);
    const warnings = warningsOf(searched);
    if (listing === undefined) return closedPage(position, stream, warnings);
    const { items, skipped } = readEach(listing.children, readThing);
    return {
      postings: items.filter((thing) => !isGone(thing)).map(toPosting),
      skipped,
      requests: listing.requests,
      ...(listing.notBefore !== undefined && { notBefore: listing.notBefore }),
      ...pageAfter(position, { stream, listing, items, from: fromOf(stream, request, now()) }),
      warnings,
    };
  }

  async check(request: PageRequest): Promise<void> {
    await this.fetchPage(request);
  }

  private async lookUp({ ids, signal }: LookUpRequest): Promise<LookUp> {
    const sent = ids.filter((id) => ID.test(id));
    if (sent.length === 0) return { found: [], gone: [] };
    const { children, notBefore } = await this.api.lookUp(sent, signal);
    const { items, skipped } = readEach(children, readThing);
    const shown = new Set(items.map(({ data }) => data.name));
    // What cannot be read may be any of those that seem to be missing.
    const missing = skipped > 0 ? [] : sent.filter((id) => !shown.has(id));
    return {
      found: items.filter((thing) => !isGone(thing)).map(toPosting),
      gone: [...missing, ...items.filter(isGone).map(({ data }) => data.name)],
      ...(notBefore !== undefined && { notBefore }),
    };
  }
}

/** One of several subreddits spoils the request for all, so each is asked alone. */
function closedPage({ todo, newest }: Position, stream: Stream, warnings: readonly string[]): Page {
  const alone = divided(stream);
  const isAlone = alone.length === 1;
  const next = { todo: [...(isAlone ? [] : alone), ...todo.slice(1)], after: null, read: 0, newest };
  const closed = `r/${stream.of} cannot be read: it is private, banned, or does not exist. Nothing is collected from it.`;
  return {
    postings: [],
    skipped: 0,
    requests: 1,
    ...tokensOf(next),
    warnings: isAlone ? [...warnings, closed] : warnings,
  };
}

/** How far back a stream is read: by Reddit's clock, if something of it was read before. */
function fromOf(stream: Stream, { cursor, since }: PageRequest, now: number): number {
  const known = newestOf(cursor);
  if (known === undefined) return since;
  const newest = known[keyOf(stream)];
  return Math.min(since, newest === undefined ? now - NEW_STREAM_MS : newest - LAG_MS);
}

interface Read {
  readonly stream: Stream;
  readonly listing: ListingPage;
  readonly items: readonly RedditThing[];
  readonly from: number;
}

/** The next page of this stream, else the next stream, else the end of the poll. */
function pageAfter(position: Position, read: Read): Pick<Page, "nextPage" | "cursor" | "gaps"> {
  const { stream, listing, items, from } = read;
  const times = items.map(({ data }) => data.created_utc * 1000);
  const key = keyOf(stream);
  const newest = Math.max(...times, position.newest[key] ?? -Infinity);
  const isKnown = Number.isFinite(newest);
  const after = { ...position, newest: isKnown ? { ...position.newest, [key]: newest } : position.newest };
  const count = position.read + listing.children.length;
  const oldest = Math.min(...times);
  const isEnded = listing.after === null || listing.after === position.after || listing.children.length === 0;
  if (!isEnded && oldest >= from) return tokensOf({ ...after, after: listing.after, read: count });
  const isCutOff = isEnded && count >= ENDS_AFTER[stream.kind] && oldest > from && Number.isFinite(oldest);
  return {
    ...tokensOf({ ...after, todo: position.todo.slice(1), after: null, read: 0 }),
    ...(isCutOff && { gaps: [{ from, to: oldest, reason: "page_limit" }] }),
  };
}

/** The time of the newest posting that was read, in milliseconds since the epoch, by stream. */
const newestSchema = z.record(z.string(), z.number());
const cursorSchema = z.object({ newest: newestSchema });
const streamSchema = z.object({ kind: z.enum(["search", "submissions", "comments"]), of: z.string() });
const tokenSchema = z.object({
  todo: z.array(streamSchema).min(1),
  after: z.string().nullable(),
  read: z.int().nonnegative(),
  newest: newestSchema,
});

/** Which page of a poll comes next. */
interface Position {
  /** The stream of the page, and those after it. */
  readonly todo: readonly Stream[];
  /** Fullname of the last thing of the page before; null: the first page of the stream. */
  readonly after: string | null;
  /** How many things the pages of the stream before this one had. */
  readonly read: number;
  readonly newest: Readonly<Record<string, number>>;
}

/** The position of a page token, else the start of a poll. */
function positionOf(pageToken: Json, cursor: Json, streams: readonly Stream[]): Position {
  const token = tokenSchema.safeParse(pageToken).data;
  if (token !== undefined) return token;
  const known = newestOf(cursor) ?? {};
  const kept = streams.map(keyOf).flatMap((key) => (known[key] === undefined ? [] : [[key, known[key]] as const]));
  return { todo: streams, after: null, read: 0, newest: Object.fromEntries(kept) };
}

/** The newest postings of the last complete poll; undefined before the first one. */
function newestOf(cursor: Json): Readonly<Record<string, number>> | undefined {
  return cursorSchema.safeParse(cursor).data?.newest;
}

/** The token of the next page, null after the last stream, and where the next poll starts. */
function tokensOf({ todo, after, read, newest }: Position): { nextPage: Json; cursor: Json } {
  const streams = todo.map(({ kind, of }) => ({ kind, of }));
  return {
    nextPage: todo.length === 0 ? null : { todo: streams, after, read, newest: { ...newest } },
    cursor: { newest: { ...newest } },
  };
}
