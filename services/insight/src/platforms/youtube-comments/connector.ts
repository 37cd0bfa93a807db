import {
  type Connector,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
} from "../connector.js";
import type { YoutubeDeps } from "../youtube/asking/ask-youtube.js";
import { checkKey } from "../youtube/asking/check-key.js";
import { searchVideos } from "../youtube/asking/search-videos.js";
import { searchesFor, type YoutubeSearch } from "../youtube/dialect.js";
import { warningsOf } from "../youtube/warnings.js";
import type { CommentsDeps } from "./comments-deps.js";
import { createRechecks } from "./look-up.js";
import { nextOf, type Position, positionOf, withFound } from "./position.js";
import { type Batch, readBatch } from "./reading/read-batch.js";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** How far back the comments of a video that is found are read. */
const FIRST_LOOK_BACK_MS = 7 * DAY_MS;
/** After a longer pause a search resumes here. */
const LOOK_BACK_MS = 30 * DAY_MS;
/** Comments that YouTube holds for review appear late. */
const LATE_MS = HOUR_MS;

/** Comments on the videos that YouTube's search finds, and on those that earlier polls found. */
export function createCommentsConnector(deps: CommentsDeps): Connector {
  return {
    mode: "search",
    lookBackMs: LOOK_BACK_MS,
    intervalMinMs: HOUR_MS,
    located: true,
    plan: (search) => planOf(deps, search),
    fetchPage: (request) => fetchPage(deps, request),
    check: (request) => checkKey(deps, request),
    rechecks: createRechecks(deps),
  };
}

function planOf({ quota }: YoutubeDeps, search: PlatformSearch): Plan {
  const searches = searchesFor(search);
  const { requests, narrowedLocally } = searches;
  const cost =
    `1 of ${quota.searchesPerDay} searches a day per query, and 1 of ${quota.unitsPerDay} units per 50 videos and per ` +
    "100 comments, for all insights";
  const queries = requests.map(({ label }) => label);
  return { queries, narrowedLocally, cost, warnings: warningsOf(searches, search) };
}

async function fetchPage(deps: CommentsDeps, request: PageRequest): Promise<Page> {
  request.signal.throwIfAborted();
  const searches = searchesFor(request.search);
  const { requests } = searches;
  if (requests.length === 0) {
    throw new PlatformError("permanent", "YouTube cannot be asked for any of these keywords.", { requests: 0 });
  }
  const searched = await search(deps, requests, request);
  const read = await readBatch(deps, searched.position, { ...spansOf(request), request });
  if (read.error !== undefined && mustFail(searched, read, request)) throw read.error;
  return {
    postings: read.postings,
    skipped: searched.skipped + read.skipped,
    requests: searched.requests + read.requests,
    ...nextOf(read.position, requests.length),
    warnings: warningsOf(searches, request.search),
  };
}

/** What was read before a failure is kept, and so is what a search found; the next page meets the failure again. */
function mustFail(searched: Searched, read: Batch, { search: { preview }, signal }: PageRequest): boolean {
  if (signal.aborted) return true;
  return preview ? read.postings.length === 0 : searched.requests + read.tasksDone === 0;
}

/** Until when comments are wanted, and until when they may be unknown, by whether their video was followed before. */
function spansOf({ since, startedAt }: PageRequest): { oldest: number; unread: number } {
  return { oldest: Math.min(since, startedAt - FIRST_LOOK_BACK_MS), unread: since - LATE_MS };
}

interface Searched {
  readonly position: Position;
  readonly skipped: number;
  readonly requests: number;
}

/** Each page of a poll begins with the next search, as long as there is one. */
async function search(deps: CommentsDeps, searches: readonly YoutubeSearch[], request: PageRequest): Promise<Searched> {
  const begun = positionOf(request.pageToken, request.cursor);
  const asked = searches[begun.query];
  if (asked === undefined) return { position: begun, skipped: 0, requests: 0 };
  // Those that many people see have the comments; those that are new are not yet among them.
  const order = begun.polls % 2 === 0 ? "relevance" : "date";
  const { ids, skipped } = await searchVideos(
    deps,
    { query: asked.query, place: asked.place, order, pageToken: null },
    request,
  );
  return { position: withFound(begun, ids), skipped, requests: 1 };
}
