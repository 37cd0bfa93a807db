import { fetchJson, type JsonResponse } from "../http-json.js";
import { readEach } from "../schemas.js";
import {
  type Connector,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
} from "../connector.js";
import { readPost, readSearchPage, type XPage } from "./asking/answer.js";
import { askForPosts } from "./asking/ask-for-posts.js";
import { errorOfResponse, pauseOf, SERVICE } from "./asking/failure.js";
import { countsUrl, searchUrl } from "./asking/search-url.js";
import { queriesFor } from "./dialect.js";
import { createRechecks, type LookUpDeps } from "./look-up.js";
import { cursorOf, newerId, newestOf, type Position, positionOf, timeOfId, tokenOf } from "./position.js";
import { includedIn } from "./posting/included.js";
import { toPosting } from "./posting/to-posting.js";

const MINUTE_MS = 60_000;
const WINDOW_MS = 7 * 24 * 60 * MINUTE_MS;
/** X counts its window from its own clock, and again from each request of a poll. */
const MARGIN_MS = 60 * MINUTE_MS;
/** X refuses a start that is later. */
const START_MS = 30_000;

export interface TwitterDeps extends LookUpDeps {
  readonly postsPerMonth: number;
}

/** X's recent search: posts of the last seven days. */
export function createTwitterConnector(deps: TwitterDeps): Connector {
  return {
    mode: "search",
    lookBackMs: WINDOW_MS - MARGIN_MS,
    intervalMinMs: 5 * MINUTE_MS,
    located: true,
    plan: (search) => planOf(deps, search),
    fetchPage: (request) => fetchPage(deps, request),
    check: (request) => check(deps, request),
    rechecks: createRechecks(deps),
    idsOnly: true,
  };
}

function planOf({ postsPerMonth }: TwitterDeps, search: PlatformSearch): Plan {
  const { requests: queries, narrowedLocally } = queriesFor(search);
  const cost = `X bills every post that is read; this server reads at most ${postsPerMonth} a month for all insights`;
  return { queries, narrowedLocally, cost, warnings: warningsOf(search) };
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

async function fetchPage(deps: TwitterDeps, request: PageRequest): Promise<Page> {
  request.signal.throwIfAborted();
  const { requests: queries } = queriesFor(request.search);
  const position = positionOf(request.pageToken, request.cursor);
  const query = queries[position.query];
  if (query === undefined) {
    throw new PlatformError("permanent", "X cannot be asked for any of these keywords.", { requests: 0 });
  }
  const start = startOf(query, request, deps.now());
  const { response, page } = await ask(deps, { ...start, query, nextToken: position.next }, request);
  const included = includedIn(page);
  const { items, skipped } = readEach(page.data, readPost);
  const newest = [position.newest[query], page.meta.newest_id, ...items.map(({ id }) => id)].reduce(newerId, undefined);
  const next = nextOf({ ...position, next: page.meta.next_token ?? null }, { query, newest, queries });
  return {
    postings: items.map((post) => toPosting(post, included)),
    skipped,
    requests: 1,
    ...next,
    ...gapsOf(start, position, request),
    ...pauseOf(response, deps.now()),
    warnings: warningsOf(request.search),
  };
}

/** X bills no posts for a count. */
async function check({ http, address, token, now }: TwitterDeps, { search, signal }: PageRequest): Promise<void> {
  const [query = ""] = queriesFor(search).requests;
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetchJson(http, { url: countsUrl(address, query), headers, signal, service: SERVICE });
  if (response.status !== 200) throw errorOfResponse(response, now());
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

interface Asked extends Start {
  readonly query: string;
  readonly nextToken: string | null;
}

interface Answered {
  readonly response: JsonResponse;
  readonly page: XPage;
}

async function ask(deps: TwitterDeps, asked: Asked, { search, limit, signal }: PageRequest): Promise<Answered> {
  const { budgets, address } = deps;
  const pageSize = budgets.pageSizeFor(limit);
  const url = searchUrl(address, { ...asked, pageSize });
  return askForPosts(deps, { url, posts: pageSize, preview: search.preview, signal, read: readSearchPage });
}

interface Asking {
  readonly query: string;
  readonly newest: string | undefined;
  readonly queries: readonly string[];
}

/** The next page of this query, else the next query, else the end of the poll. */
function nextOf(position: Position, { query, newest, queries }: Asking): Pick<Page, "nextPage" | "cursor"> {
  const known = newest === undefined ? position.newest : { ...position.newest, [query]: newest };
  const cursor = cursorOf({ newest: known });
  if (position.next !== null) return { nextPage: tokenOf({ ...position, newest: known }), cursor };
  const following = position.query + 1;
  if (following >= queries.length) return { nextPage: null, cursor };
  return { nextPage: tokenOf({ query: following, next: null, newest: known }), cursor };
}
