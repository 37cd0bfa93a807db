import { RedirectError } from "../http-json.js";
import { readEach } from "../schemas.js";
import {
  type Connector,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
} from "../connector.js";
import { readListing, readThing, type RedditListing, type RedditThing } from "./asking/answer.js";
import { errorOfResponse, heldUntil } from "./asking/failure.js";
import { listingUrl } from "./asking/listing-url.js";
import type { RedditAnswer } from "./asking/reddit-api.js";
import { queriesFor } from "./dialect.js";
import { createRechecks, type LookUpDeps } from "./look-up.js";
import { newestOf, type Position, positionOf, toJson } from "./position.js";
import { isGone } from "./posting/gone.js";
import { toPosting } from "./posting/to-posting.js";
import { divided, keyOf, nameOf, type Stream } from "./stream.js";
import { type FollowedByServer, streamsOf, warningsOf } from "./streams.js";

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
/** Where Reddit sends those who ask for a subreddit that does not exist. */
const UNKNOWN_SUBREDDIT = "/subreddits/search";

export interface RedditDeps extends LookUpDeps {
  readonly server: FollowedByServer;
  readonly requestsPerMinute: number;
}

/** Reddit's search of submissions, and what is new in followed subreddits. */
export function createRedditConnector(deps: RedditDeps): Connector {
  return {
    mode: "search",
    lookBackMs: LOOK_BACK_MS,
    intervalMinMs: MINUTE_MS,
    plan: (search) => planOf(deps, search),
    fetchPage: (request) => fetchPage(deps, request),
    check: async (request) => void (await fetchPage(deps, request)),
    rechecks: createRechecks(deps),
    idsOnly: true,
  };
}

function planOf({ server, requestsPerMinute }: RedditDeps, search: PlatformSearch): Plan {
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

async function fetchPage(deps: RedditDeps, request: PageRequest): Promise<Page> {
  request.signal.throwIfAborted();
  const { search, pageToken, cursor } = request;
  const searched = { search, queries: queriesFor(search.query), server: deps.server };
  const position = positionOf(pageToken, cursor, streamsOf(searched));
  const [stream] = position.todo;
  if (stream === undefined) {
    const message = "Reddit cannot be asked for any of these keywords. Change them, or name subreddits to follow.";
    throw new PlatformError("permanent", message, { requests: 0 });
  }
  const asked = await ask(deps, stream, { after: position.after, signal: request.signal });
  const warnings = warningsOf(searched);
  if (asked === undefined) return closedPage(position, stream, warnings);
  const { response, requests } = asked;
  const listing = readListing(response.body);
  if (listing === undefined) {
    throw new PlatformError("temporary", "Reddit returns no listing. It will be retried.", { requests });
  }
  const { items, skipped } = readEach(listing.children, readThing);
  const until = heldUntil(response, deps.now());
  return {
    postings: items.filter((thing) => !isGone(thing)).map(toPosting),
    skipped,
    requests,
    ...(until !== undefined && { notBefore: until }),
    ...pageAfter(position, { stream, listing, items, from: fromOf(stream, request, deps.now()) }),
    warnings,
  };
}

/** Undefined if a subreddit cannot be read: that says nothing about the app. */
async function ask(
  { api, baseUrl, now }: RedditDeps,
  stream: Stream,
  { after, signal }: { after: string | null; signal: AbortSignal },
): Promise<RedditAnswer | undefined> {
  const isSearch = stream.kind === "search";
  const asked = await api.ask(listingUrl(baseUrl, stream, after), signal).catch((error: unknown) => {
    if (!isSearch && error instanceof RedirectError && error.to.pathname.startsWith(UNKNOWN_SUBREDDIT))
      return undefined;
    throw error;
  });
  if (asked === undefined || asked.response.status === 200) return asked;
  if (!isSearch && isClosed(asked)) return undefined;
  throw errorOfResponse(asked.response, now());
}

/** Private, banned and quarantined subreddits. What keeps an app from everything answers with a web page. */
function isClosed({ response: { status, body } }: RedditAnswer): boolean {
  return (status === 403 || status === 404) && body !== undefined;
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
    ...toJson(next),
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
  readonly listing: RedditListing;
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
  if (!isEnded && oldest >= from) return toJson({ ...after, after: listing.after, read: count });
  const isCutOff = isEnded && count >= ENDS_AFTER[stream.kind] && oldest > from && Number.isFinite(oldest);
  return {
    ...toJson({ ...after, todo: position.todo.slice(1), after: null, read: 0 }),
    ...(isCutOff && { gaps: [{ from, to: oldest, reason: "page_limit" }] }),
  };
}
