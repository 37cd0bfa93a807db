import {
  type Connector,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
} from "../connector.js";
import type { PostingDraft } from "../posting-draft.js";
import type { YoutubeDeps } from "../youtube/asking/ask-youtube.js";
import { checkKey } from "../youtube/asking/check-key.js";
import { searchVideos } from "../youtube/asking/search-videos.js";
import { searchesFor, type YoutubeSearch } from "../youtube/dialect.js";
import { warningsOf } from "../youtube/warnings.js";
import { createRechecks } from "./look-up.js";
import { cursorOf, newestOf, type Position, positionOf, startOfSearch, tokenOf } from "./position.js";
import { readVideos } from "./read-videos.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After a longer pause a search resumes here, because each page of a search is a hundredth of a day's quota. */
const LOOK_BACK_MS = 30 * 24 * HOUR_MS;
/** YouTube indexes some videos late, and its order by date is not exact. */
const LATE_MS = HOUR_MS;
/** YouTube returns about 500 results of a search, whatever it states. */
const RESULTS_NEARLY_ALL = 450;

/** YouTube's search, and what it states about the videos that it finds. */
export function createVideosConnector(deps: YoutubeDeps): Connector {
  return {
    mode: "search",
    lookBackMs: LOOK_BACK_MS,
    intervalMinMs: 15 * MINUTE_MS,
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
  const cost = `1 of ${quota.searchesPerDay} searches a day and 2 of ${quota.unitsPerDay} units for 50 videos, for all insights`;
  const queries = requests.map(({ label }) => label);
  return { queries, narrowedLocally, cost, warnings: warningsOf(searches, search) };
}

async function fetchPage(deps: YoutubeDeps, request: PageRequest): Promise<Page> {
  request.signal.throwIfAborted();
  const searches = searchesFor(request.search);
  const { requests } = searches;
  const begun = positionOf(request.pageToken, request.cursor);
  const asked = requests[begun.query];
  if (asked === undefined) {
    throw new PlatformError("permanent", "YouTube cannot be asked for any of these keywords.", { requests: 0 });
  }
  const from = startOf(asked, request);
  const searched = begun.found === null ? await search(deps, begun, { asked, from, request }) : asBefore(begun);
  const warnings = warningsOf(searches, request.search);
  try {
    const read = await readVideos(deps, searched.position.found ?? [], request);
    const position = afterVideos(searched.position, asked, read.postings);
    return {
      postings: read.postings,
      skipped: searched.skipped + read.skipped,
      requests: searched.requests + read.requests,
      ...nextOf(position, requests),
      ...gapsOf(position, from),
      warnings: [...warnings, ...read.warnings],
    };
  } catch (error) {
    if (searched.requests === 0 || request.search.preview || request.signal.aborted) throw error;
    // The next page asks for the videos again, but not for the search, which costs much more.
    const { skipped, requests, position } = searched;
    return { postings: [], skipped, requests, nextPage: tokenOf(position), cursor: cursorOf(begun), warnings };
  }
}

/**
 * From the newest video of the last poll, earlier by the time that YouTube may take to index one; but not later than the
 * collector wants.
 */
function startOf({ label }: YoutubeSearch, { cursor, since }: PageRequest): number {
  const newest = newestOf(cursor)[label];
  return newest === undefined ? since : Math.min(newest - LATE_MS, since);
}

interface Searched {
  readonly position: Position;
  readonly skipped: number;
  readonly requests: number;
}

function asBefore(position: Position): Searched {
  return { position, skipped: 0, requests: 0 };
}

async function search(
  deps: YoutubeDeps,
  begun: Position,
  { asked, from, request }: { asked: YoutubeSearch; from: number; request: PageRequest },
): Promise<Searched> {
  const { ids, skipped, next } = await searchVideos(
    deps,
    { query: asked.query, place: asked.place, order: "date", from, pageToken: begun.next },
    request,
  );
  return { position: { ...begun, found: ids, next }, skipped, requests: 1 };
}

/** The position once the found videos are read. */
function afterVideos(position: Position, { label }: YoutubeSearch, postings: readonly PostingDraft[]): Position {
  const times = postings.map(({ postedAt }) => postedAt);
  const known = position.newest[label];
  const newest = times.reduce<number | undefined>((a, b) => (a === undefined ? b : Math.max(a, b)), known);
  const oldest = times.reduce<number | null>((a, b) => (a === null ? b : Math.min(a, b)), position.oldest);
  return {
    ...position,
    found: null,
    read: position.read + (position.found?.length ?? 0),
    oldest,
    newest: newest === undefined ? position.newest : { ...position.newest, [label]: newest },
  };
}

/** The next page of this search, else the next search, else the end of the poll. */
function nextOf(position: Position, searches: readonly YoutubeSearch[]): Pick<Page, "nextPage" | "cursor"> {
  const cursor = cursorOf(position);
  if (position.next !== null) return { nextPage: tokenOf(position), cursor };
  const following = position.query + 1;
  if (following >= searches.length) return { nextPage: null, cursor };
  return { nextPage: tokenOf(startOfSearch(following, position.newest)), cursor };
}

/** What YouTube did not return of a long list of results. */
function gapsOf({ next, read, oldest }: Position, from: number): Pick<Page, "gaps"> {
  if (next !== null || read < RESULTS_NEARLY_ALL || oldest === null || oldest <= from) return {};
  return { gaps: [{ from, to: oldest, reason: "page_limit" }] };
}
