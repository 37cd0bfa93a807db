import { readEach } from "../schemas.js";
import {
  type Connector,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
} from "../connector.js";
import { readVideo, type TiktokPage } from "./asking/answer.js";
import { type AskingDeps, askForVideos } from "./asking/ask-for-videos.js";
import { queriesFor } from "./dialect.js";
import { createRechecks } from "./look-up.js";
import { dayOf, type Position, positionOf } from "./position.js";
import { toPosting } from "./posting/to-posting.js";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** TikTok says that videos can be searched up to two days after they were posted, so those days are read again. */
const LATE_MS = 2 * DAY_MS;
/** A request spans 30 days at most, of which the first and the last are not whole. */
const LOOK_BACK_MS = 30 * DAY_MS - LATE_MS - DAY_MS;

export interface TiktokDeps extends AskingDeps {
  readonly requestsPerDay: number;
}

/** TikTok's Research API: searches by day. */
export function createTiktokConnector(deps: TiktokDeps): Connector {
  return {
    mode: "search",
    lookBackMs: LOOK_BACK_MS,
    intervalMinMs: HOUR_MS,
    plan: (search) => planOf(deps, search),
    fetchPage: (request) => fetchPage(deps, request),
    check: async (request) => void (await fetchPage(deps, request)),
    rechecks: createRechecks(deps),
    idsOnly: true,
  };
}

function planOf({ requestsPerDay }: TiktokDeps, search: PlatformSearch): Plan {
  const { requests, narrowedLocally } = queriesFor(search.query);
  const cost = `1 request per 100 videos; this server sends at most ${requestsPerDay} a day for all insights`;
  const warnings = warningsOf(search);
  return { queries: requests.map((request) => JSON.stringify(request)), narrowedLocally, cost, warnings };
}

/** What the owner of a search should know. */
function warningsOf({ query, preview }: PlatformSearch): string[] {
  const { requests, unsent } = queriesFor(query);
  return [
    ...unsent.map((term) => `TikTok cannot be asked for ${term}, so nothing is collected for it.`),
    ...(preview && requests.length > 1
      ? [`The preview asks TikTok the first of ${requests.length} queries only.`]
      : []),
  ];
}

async function fetchPage(deps: TiktokDeps, request: PageRequest): Promise<Page> {
  request.signal.throwIfAborted();
  const { requests: queries } = queriesFor(request.search.query);
  const position = positionOf(request.pageToken) ?? startOf(request, deps.now());
  const query = queries[position.query];
  if (query === undefined) {
    throw new PlatformError("permanent", "TikTok cannot be asked for any of these keywords.", { requests: 0 });
  }
  const { page, requests } = await askForVideos(deps, { query, position }, request);
  const { items, skipped } = readEach(page.videos, readVideo);
  return {
    postings: items.map((video) => toPosting(video, { isSpoken: request.search.audial ?? false })),
    skipped,
    requests,
    nextPage: nextOf(position, page, queries.length),
    cursor: { until: position.to },
    warnings: warningsOf(request.search),
  };
}

/** A first poll has no videos that were late for an earlier one. */
function startOf({ cursor, since }: PageRequest, now: number): Position {
  const from = cursor === null ? since : since - LATE_MS;
  return { query: 0, cursor: 0, searchId: null, from: dayOf(from), to: dayOf(now) };
}

/** The next page of this query, else the next query, else the end of the poll. */
function nextOf(position: Position, { has_more: hasMore, cursor, search_id: searchId }: TiktokPage, queries: number) {
  if (hasMore === true && cursor !== undefined) {
    return { ...position, cursor, searchId: searchId ?? position.searchId };
  }
  const query = position.query + 1;
  return query >= queries ? null : { ...position, query, cursor: 0, searchId: null };
}
