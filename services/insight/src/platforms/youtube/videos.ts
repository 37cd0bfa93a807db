import type { Json } from "@hourglass/runtime";
import * as z from "zod";
import {
  type Connector,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
  type Rechecks,
  type RequestContext,
} from "../connector.js";
import { attempt } from "../http-json.js";
import type { PostingDraft } from "../posting-draft.js";
import { IDS_MAX, TERM_MS, type YoutubeApi } from "./api.js";
import { videoToPosting } from "./posting.js";
import { searchesFor, warningsOf, type YoutubeSearch } from "./query.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After a longer pause a search resumes here, because each page of a search is a hundredth of a day's quota. */
const LOOK_BACK_MS = 30 * 24 * HOUR_MS;
/** YouTube indexes some videos late, and its order by date is not exact. */
const LATE_MS = HOUR_MS;
/** Videos without a handle that the next poll reads again: as many as one request takes. */
const NAMELESS_MAX = IDS_MAX;
/** YouTube returns about 500 results of a search, whatever it states. */
const RESULTS_NEARLY_ALL = 450;

/** YouTube's search, and what it states about the videos that it finds. Handles of channels are not looked up again. */
export class VideosConnector implements Connector {
  readonly mode = "search";
  readonly lookBackMs = LOOK_BACK_MS;
  readonly intervalMinMs = 15 * MINUTE_MS;
  readonly located = true;
  readonly rechecks: Rechecks = {
    idsMax: IDS_MAX,
    termMs: () => TERM_MS,
    lookUp: async (request) => {
      const { items, gone } = await this.api.lookUpVideos(request);
      return { found: items.map((video) => videoToPosting(video, new Map())), gone };
    },
  };

  constructor(private readonly api: YoutubeApi) {}

  plan(search: PlatformSearch): Plan {
    const { searchesPerDay, unitsPerDay } = this.api.settings;
    const searches = searchesFor(search);
    const { requests, narrowedLocally } = searches;
    const cost = `1 of ${searchesPerDay} searches a day and 2 of ${unitsPerDay} units for 50 videos, for all insights`;
    const queries = requests.map(({ label }) => label);
    return { queries, narrowedLocally, cost, warnings: warningsOf(searches, search) };
  }

  async fetchPage(request: PageRequest): Promise<Page> {
    request.signal.throwIfAborted();
    const searches = searchesFor(request.search);
    const { requests } = searches;
    const begun = positionOf(request.pageToken, request.cursor);
    if (begun.query === BEFORE_SEARCHES && requests.length > 0) return this.readNameless(begun, request);
    const next = requests[begun.query];
    if (next === undefined) {
      throw new PlatformError("permanent", "YouTube cannot be asked for any of these keywords.", { requests: 0 });
    }
    const from = startOf(next, request);
    const searched = begun.found === null ? await this.search(begun, next, { from, request }) : asBefore(begun);
    const warnings = warningsOf(searches, request.search);
    try {
      const read = await this.readVideos(searched.position.found ?? [], request);
      const position = withNameless(afterVideos(searched.position, next, read.postings), read.nameless);
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

  async check(request: PageRequest): Promise<void> {
    await this.api.check(request);
  }

  private async search(
    begun: Position,
    { query, place }: YoutubeSearch,
    { from, request }: { from: number; request: PageRequest },
  ): Promise<Searched> {
    const search = { query, place, order: "date", from, pageToken: begun.next } as const;
    const { ids, skipped, next } = await this.api.search(search, request);
    return { position: { ...begun, found: ids, next }, skipped, requests: 1 };
  }

  /** Reads the videos again whose channels the last poll could not read. A failure leaves them to the next poll. */
  private async readNameless(begun: Position, request: PageRequest): Promise<Page> {
    const ids = begun.found ?? [];
    const { value: read, failure } = await attempt(() => this.readVideos(ids, request), request.signal);
    const position = withNameless(startOfSearch(0, begun), read?.nameless ?? ids);
    return {
      postings: read?.postings ?? [],
      skipped: read?.skipped ?? 0,
      requests: read?.requests ?? failure?.requests ?? 0,
      nextPage: tokenOf(position),
      cursor: cursorOf(position),
      warnings: read?.warnings ?? [],
    };
  }

  /**
   * What YouTube states about at most 50 videos and their channels. A failure to learn about the channels is a warning:
   * videos do without.
   */
  private async readVideos(ids: readonly string[], context: RequestContext): Promise<ReadVideos> {
    if (ids.length === 0) return { postings: [], skipped: 0, requests: 0, warnings: [], nameless: [] };
    const { items, skipped } = await this.api.videos(ids, context);
    const channels = [...new Set(items.flatMap(({ snippet }) => snippet.channelId ?? []))];
    const read = (handles: ReadonlyMap<string, string>): Pick<ReadVideos, "postings" | "skipped"> => ({
      postings: items.map((video) => videoToPosting(video, handles)),
      skipped,
    });
    if (channels.length === 0) return { ...read(new Map()), requests: 1, warnings: [], nameless: [] };
    const { value: handles, failure } = await attempt(() => this.api.handles(channels, context), context.signal);
    if (failure === undefined) return { ...read(handles), requests: 2, warnings: [], nameless: [] };
    const warning = `Some videos lack the handles of their channels, which could not be read. ${failure.message}`;
    const nameless = items.filter(({ snippet }) => snippet.channelId !== undefined).map(({ id }) => id);
    return { ...read(new Map()), requests: 1 + failure.requests, warnings: [warning], nameless };
  }
}

interface Searched {
  readonly position: Position;
  readonly skipped: number;
  readonly requests: number;
}

interface ReadVideos {
  readonly postings: readonly PostingDraft[];
  readonly skipped: number;
  readonly requests: number;
  readonly warnings: readonly string[];
  /** Ids of videos whose channels could not be read. */
  readonly nameless: readonly string[];
}

function asBefore(position: Position): Searched {
  return { position, skipped: 0, requests: 0 };
}

/**
 * From the newest video of the last poll, earlier by the time that YouTube may take to index one; but not later than the
 * collector wants.
 */
function startOf({ label }: YoutubeSearch, { cursor, since }: PageRequest): number {
  const newest = newestOf(cursor)[label];
  return newest === undefined ? since : Math.min(newest - LATE_MS, since);
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
  return { nextPage: tokenOf(startOfSearch(following, position)), cursor };
}

/** What YouTube did not return of a long list of results. */
function gapsOf({ next, read, oldest }: Position, from: number): Pick<Page, "gaps"> {
  if (next !== null || read < RESULTS_NEARLY_ALL || oldest === null || oldest <= from) return {};
  return { gaps: [{ from, to: oldest, reason: "page_limit" }] };
}

/** A poll begins by reading videos of the last one again. */
const BEFORE_SEARCHES = -1;

/** When the newest video that was read was published, by search: another release may ask other ones. */
const newestSchema = z.record(z.string(), z.number());
const namelessSchema = z.array(z.string()).optional();
const cursorSchema = z.object({ newest: newestSchema, nameless: namelessSchema });
const tokenSchema = z.object({
  query: z.int().min(BEFORE_SEARCHES),
  next: z.string().nullable(),
  found: z.array(z.string()).nullable(),
  read: z.int().nonnegative(),
  oldest: z.number().nullable(),
  newest: newestSchema,
  nameless: namelessSchema,
});

/** Which page of a poll comes next. */
interface Position {
  /** Index of the search, or BEFORE_SEARCHES. */
  readonly query: number;
  /** YouTube's token of the page of the search; of the page after it, if there is `found`. */
  readonly next: string | null;
  /** Videos that a search found and that are not read yet; null: the search comes first. */
  readonly found: readonly string[] | null;
  /** Videos that this search has found in this poll. */
  readonly read: number;
  /** When the oldest of them was published, in milliseconds since the epoch. */
  readonly oldest: number | null;
  readonly newest: Readonly<Record<string, number>>;
  /** Videos that lack the handles of their channels, newest first. Default: none. */
  readonly nameless?: readonly string[] | undefined;
}

const FIRST = { query: 0, next: null, found: null, read: 0, oldest: null };

/** The position of a page token, else the start of a poll. */
function positionOf(pageToken: Json, cursor: Json): Position {
  const token = tokenSchema.safeParse(pageToken).data;
  if (token !== undefined) return token;
  const { newest = {}, nameless = [] } = cursorSchema.safeParse(cursor).data ?? {};
  return nameless.length === 0 ? { ...FIRST, newest } : { ...FIRST, query: BEFORE_SEARCHES, found: nameless, newest };
}

/** Times of publication of the newest videos of the last complete poll, in milliseconds since the epoch. */
function newestOf(cursor: Json): Readonly<Record<string, number>> {
  return cursorSchema.safeParse(cursor).data?.newest ?? {};
}

/** The beginning of a search of a poll. */
function startOfSearch(query: number, { newest, nameless }: Pick<Position, "newest" | "nameless">): Position {
  return { ...FIRST, query, newest, nameless };
}

/** The position with more videos to be read again by the next poll. */
function withNameless(position: Position, ids: readonly string[]): Position {
  const all = [...new Set([...ids, ...(position.nameless ?? [])])].slice(0, NAMELESS_MAX);
  return all.length === 0 ? position : { ...position, nameless: all };
}

function tokenOf({ found, newest, nameless, ...position }: Position): Json {
  const kept = nameless === undefined ? {} : { nameless: [...nameless] };
  return { ...position, found: found === null ? null : [...found], newest: { ...newest }, ...kept };
}

function cursorOf({ newest, nameless }: Pick<Position, "newest" | "nameless">): Json {
  return { newest: { ...newest }, ...(nameless !== undefined && { nameless: [...nameless] }) };
}
