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
import { readPost, type TwitterApi } from "./api.js";
import { includedIn, toPosting } from "./posting.js";
import { queriesFor } from "./query.js";

const MINUTE_MS = 60_000;
const WINDOW_MS = 7 * 24 * 60 * MINUTE_MS;
/** X counts its window from its own clock, and again from each request of a poll. */
const MARGIN_MS = 60 * MINUTE_MS;
/** X refuses a start that is later. */
const START_MS = 30_000;
/** X demands that what is deleted, protected or changed is followed within a day. */
const TERM_MS = 24 * 60 * MINUTE_MS;
const ID = /^\d{1,19}$/;
/** A post that was deleted, or of an account that is protected, suspended or gone. */
const GONE = /(?:resource-not-found|not-authorized-for-resource)$/;

/** X's recent search: posts of the last seven days. Stored posts are looked up by their ids. */
export class TwitterConnector implements Connector {
  readonly mode = "search";
  readonly lookBackMs = WINDOW_MS - MARGIN_MS;
  readonly intervalMinMs = 5 * MINUTE_MS;
  readonly located = true;
  readonly idsOnly = true;
  readonly rechecks: Rechecks;

  constructor(
    private readonly api: TwitterApi,
    private readonly options: { readonly postsPerMonth: number; readonly now: () => number },
  ) {
    this.rechecks = {
      idsMax: api.pageSizeFor(Infinity),
      termMs: () => TERM_MS,
      lookUp: (request) => this.lookUp(request),
    };
  }

  plan(search: PlatformSearch): Plan {
    const { requests: queries, narrowedLocally } = queriesFor(search);
    const cost = `X bills every post that is read; this server reads at most ${this.options.postsPerMonth} a month for all insights`;
    return { queries, narrowedLocally, cost, warnings: warningsOf(search) };
  }

  async fetchPage(request: PageRequest): Promise<Page> {
    request.signal.throwIfAborted();
    const { requests: queries } = queriesFor(request.search);
    const position = positionOf(request.pageToken, request.cursor);
    const query = queries[position.query];
    if (query === undefined) {
      throw new PlatformError("permanent", "X cannot be asked for any of these keywords.", { requests: 0 });
    }
    const start = startOf(query, request, this.options.now());
    const pageSize = this.api.pageSizeFor(request.limit);
    const { page, ...pause } = await this.api.search({ ...start, query, pageSize, nextToken: position.next }, request);
    const included = includedIn(page);
    const { items, skipped } = readEach(page.data, readPost);
    const newest = [position.newest[query], page.meta.newest_id, ...items.map(({ id }) => id)].reduce(
      newerId,
      undefined,
    );
    return {
      postings: items.map((post) => toPosting(post, included)),
      skipped,
      requests: 1,
      ...nextOf({ ...position, next: page.meta.next_token ?? null }, { query, newest, queries }),
      ...gapsOf(start, position, request),
      ...pause,
      warnings: warningsOf(request.search),
    };
  }

  async check({ search, signal }: PageRequest): Promise<void> {
    const [query = ""] = queriesFor(search).requests;
    await this.api.count(query, signal);
  }

  private async lookUp({ ids, signal }: LookUpRequest): Promise<LookUp> {
    // X refuses a request with anything that is no id.
    const sent = ids.filter((id) => ID.test(id));
    if (sent.length === 0) return { found: [], gone: [] };
    const { page, ...pause } = await this.api.lookUp(sent, signal);
    const included = includedIn(page);
    const { items } = readEach(page.data, readPost);
    const missing = (page.errors ?? []).filter((error) => GONE.test(error.type ?? ""));
    return {
      found: items.map((post) => toPosting(post, included)),
      gone: missing.flatMap((error) => error.resource_id ?? error.value ?? []),
      ...pause,
    };
  }
}

/** What the owner of a search should know. */
function warningsOf(search: PlatformSearch): string[] {
  const { requests, unsent } = queriesFor(search);
  const { preview, places } = search;
  return [
    ...unsent.map((term) => `X cannot be asked for ${term}, so nothing is collected for it.`),
    ...(preview && requests.length > 1 ? [`The preview asks X the first of ${requests.length} queries only.`] : []),
    ...(places.known.length > 0
      ? ["Of a location, X finds only posts that carry a place: a few per cent of all."]
      : []),
  ];
}

interface Start {
  readonly sinceId: string | undefined;
  readonly from: number;
}

/** X takes only ids of its window: after a longer pause, the search resumes at the beginning of the window. */
function startOf(query: string, { cursor, since }: PageRequest, now: number): Start {
  const earliest = now - WINDOW_MS + MARGIN_MS;
  const sinceId = newestOf(cursor)[query];
  if (sinceId !== undefined && timeOfId(sinceId) >= earliest) return { sinceId, from: timeOfId(sinceId) };
  return { sinceId: undefined, from: Math.min(Math.max(since, earliest), now - START_MS) };
}

/** What was posted between the last poll and the window of this one. */
function gapsOf(
  { sinceId, from }: Start,
  { query, next }: Position,
  { cursor, since }: PageRequest,
): Pick<Page, "gaps"> {
  const isFirst = query === 0 && next === null;
  if (!isFirst || sinceId !== undefined || cursor === null || since >= from) return {};
  return { gaps: [{ from: since, to: from, reason: "before_window" }] };
}

interface QueryAt {
  readonly query: string;
  readonly newest: string | undefined;
  readonly queries: readonly string[];
}

/** The next page of this query, else the next query, else the end of the poll. */
function nextOf(position: Position, { query, newest, queries }: QueryAt): Pick<Page, "nextPage" | "cursor"> {
  const known = newest === undefined ? position.newest : { ...position.newest, [query]: newest };
  const cursor = { newest: known };
  if (position.next !== null) return { nextPage: tokenOf({ ...position, newest: known }), cursor };
  const following = position.query + 1;
  if (following >= queries.length) return { nextPage: null, cursor };
  return { nextPage: tokenOf({ query: following, next: null, newest: known }), cursor };
}

/** The newest post that was read, by query: the query is the key, because another release may ask other ones. */
const newestSchema = z.record(z.string(), z.string());
const cursorSchema = z.object({ newest: newestSchema });
const tokenSchema = z.object({ query: z.int().nonnegative(), next: z.string().nullable(), newest: newestSchema });

/** Which page of a poll comes next. */
interface Position {
  /** Index of the query. */
  readonly query: number;
  readonly next: string | null;
  readonly newest: Readonly<Record<string, string>>;
}

/** The position of a page token, else the start of a poll. */
function positionOf(pageToken: Json, cursor: Json): Position {
  return tokenSchema.safeParse(pageToken).data ?? { query: 0, next: null, newest: newestOf(cursor) };
}

/** The newest posts of the last complete poll. */
function newestOf(cursor: Json): Readonly<Record<string, string>> {
  return cursorSchema.safeParse(cursor).data?.newest ?? {};
}

function tokenOf({ query, next, newest }: Position): Json {
  return { query, next, newest: { ...newest } };
}

/** The newer of two ids of X, which grow with time. */
function newerId(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return BigInt(a) > BigInt(b) ? a : b;
}

/** The time at which X's ids begin. */
const EPOCH_MS = 1_288_834_974_657n;

/** The time that an id of X holds, in milliseconds since the epoch. */
function timeOfId(id: string): number {
  return Number((BigInt(id) >> 22n) + EPOCH_MS);
}
