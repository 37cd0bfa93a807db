import type { Json } from "@hourglass/runtime";
import * as z from "zod";
import {
  type Connector,
  type FoundDraft,
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
import { readVideo, type SearchAt, type TiktokApi, type TiktokPage, type TiktokVideo } from "./api.js";
import { toPosting } from "./posting.js";
import { queriesFor, type TiktokQuery } from "./query.js";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** TikTok says that videos can be searched up to two days after they were posted, so those days are read again. */
const LATE_MS = 2 * DAY_MS;
/** From the first to the last day of a request. */
const SPAN_MS_MAX = 30 * DAY_MS;
/** The first and the last day of a request are not whole. */
const LOOK_BACK_MS = SPAN_MS_MAX - LATE_MS - DAY_MS;
/** The terms of the Research API demand that stored videos are looked up every 15 days; those of some projects every 30. */
const TERM_MS = 15 * DAY_MS;
/** Videos of one page. */
const IDS_MAX = 100;
/** An id is given when a video is uploaded, which may be days before it is posted: so far ahead a video may be scheduled. */
const SCHEDULED_MS = 10 * DAY_MS;
/** A video that is younger and missing need not be gone: TikTok finds some late. */
const GONE_AFTER_MS = 3 * DAY_MS;
/** Pages are rarely full, but that many of them for one page of ids are no complete response. */
const LOOK_UP_PAGES_MAX = 10;

/** TikTok's Research API: searches by day. Stored videos are looked up by their ids, those of one span of time with a request. */
export class TiktokConnector implements Connector {
  readonly mode = "search";
  readonly lookBackMs = LOOK_BACK_MS;
  readonly intervalMinMs = HOUR_MS;
  readonly idsOnly = true;
  readonly rechecks: Rechecks = {
    idsMax: IDS_MAX,
    termMs: () => TERM_MS,
    canJoin: (id, others) => isOneSpan([...others, id], this.options.now()),
    lookUp: (request) => this.lookUp(request),
  };

  constructor(
    private readonly api: TiktokApi,
    private readonly options: { readonly requestsPerDay: number; readonly now: () => number },
  ) {}

  plan(search: PlatformSearch): Plan {
    const { requests, narrowedLocally } = queriesFor(search.query);
    const cost = `1 request per 100 videos; this server sends at most ${this.options.requestsPerDay} a day for all insights`;
    const warnings = warningsOf(search);
    return { queries: requests.map((request) => JSON.stringify(request)), narrowedLocally, cost, warnings };
  }

  async fetchPage(request: PageRequest): Promise<Page> {
    request.signal.throwIfAborted();
    const { requests: queries } = queriesFor(request.search.query);
    const position = positionOf(request.pageToken) ?? startOf(request, this.options.now());
    const query = queries[position.query];
    if (query === undefined) {
      throw new PlatformError("permanent", "TikTok cannot be asked for any of these keywords.", { requests: 0 });
    }
    const { page, requests } = await this.api.search(query, position, request);
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

  async check(request: PageRequest): Promise<void> {
    await this.fetchPage(request);
  }

  private async lookUp({ ids, signal }: LookUpRequest): Promise<LookUp> {
    const now = this.options.now();
    const span = spanOf(ids, now);
    if (span.ids.length === 0) return { found: [], gone: [] };
    const { videos, isComplete } = await this.readAll(span, signal);
    const shown = new Set(videos.map(({ id }) => id));
    const isOld = (id: string): boolean => (idGivenAt(id, now) ?? now) < now - GONE_AFTER_MS;
    return {
      found: videos.map(toFound),
      gone: isComplete ? span.ids.filter((id) => !shown.has(id) && isOld(id)) : [],
    };
  }

  /** Reads pages until TikTok says that there are no more. It is not complete if a part of it could not be read. */
  private async readAll(
    { ids, first, last }: Span,
    signal: AbortSignal,
  ): Promise<{ videos: readonly TiktokVideo[]; isComplete: boolean }> {
    const query: TiktokQuery = {
      and: [{ operation: "IN", field_name: "video_id", field_values: ids }],
      or: [],
      not: [],
    };
    const until = Math.max(last, Math.min(this.options.now(), last + SCHEDULED_MS));
    const videos = new Map<string, TiktokVideo>();
    let at: SearchAt = { cursor: 0, searchId: null, from: dayOf(first - DAY_MS), to: dayOf(until) };
    let skippedAny = false;
    for (let pages = 0; pages < LOOK_UP_PAGES_MAX; pages += 1) {
      const { page } = await this.api.search(query, at, { search: { preview: false }, signal });
      const { items, skipped } = videosOf(page);
      for (const video of items) videos.set(video.id, video);
      skippedAny ||= skipped > 0;
      const { has_more: hasMore, cursor, search_id: searchId } = page;
      if (hasMore !== true || cursor === undefined || cursor <= at.cursor) {
        return { videos: [...videos.values()], isComplete: hasMore === false && !skippedAny };
      }
      at = { ...at, cursor, searchId: searchId ?? at.searchId };
    }
    return { videos: [...videos.values()], isComplete: false };
  }
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

const tokenSchema = z.object({
  query: z.int().nonnegative(),
  cursor: z.int().nonnegative(),
  searchId: z.string().nullable(),
  from: z.string(),
  to: z.string(),
});

/** Which page of a poll comes next. */
interface Position extends SearchAt {
  /** Index of the query. */
  readonly query: number;
}

/** Undefined before the first page of a poll. */
function positionOf(pageToken: Json): Position | undefined {
  return tokenSchema.safeParse(pageToken).data;
}

/** A day of UTC as TikTok writes it. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, "2026-11-22".length).replaceAll("-", "");
}

/** What is spoken is part of the text only in searches that ask for it. */
function toFound(video: TiktokVideo): FoundDraft {
  const { text: audialText } = toPosting(video, { isSpoken: true });
  return { ...toPosting(video, { isSpoken: false }), ...(audialText !== undefined && { audialText }) };
}

function videosOf({ videos }: TiktokPage): { items: readonly TiktokVideo[]; skipped: number } {
  if (Array.isArray(videos)) return readEach(videos, readVideo);
  throw new PlatformError("temporary", "TikTok returns no list of videos. It will be retried.");
}

/** Ids that one request can ask for, with the time of the first and the last one. */
interface Span {
  readonly ids: readonly string[];
  readonly first: number;
  readonly last: number;
}

/** Whether one request can ask for all ids but those that TikTok never gave. */
function isOneSpan(ids: readonly string[], now: number): boolean {
  const sent = ids.filter((id) => idGivenAt(id, now) !== undefined);
  return spanOf(sent, now).ids.length === sent.length;
}

/** The earliest of the ids and those that fit into one request with it. */
function spanOf(ids: readonly string[], now: number): Span {
  const given = ids.flatMap((id) => {
    const at = idGivenAt(id, now);
    return at === undefined ? [] : [{ id, at }];
  });
  const first = given.reduce((earliest, { at }) => Math.min(earliest, at), Infinity);
  const fitting = given.filter(({ at }) => at - first <= SPAN_MS_MAX - SCHEDULED_MS - 2 * DAY_MS);
  const last = fitting.reduce((latest, { at }) => Math.max(latest, at), first);
  return { ids: fitting.map(({ id }) => id), first, last };
}

const SECOND_MS = 1000;
const SECOND_BITS = 32n;
/** Before TikTok and its predecessors there were no videos. */
const EARLIEST_AT = Date.UTC(2014, 0, 1);
/** Clocks differ. */
const AHEAD_MS = 24 * 60 * 60_000;

/**
 * When TikTok gave the id, in milliseconds since the epoch: its upper 32 bits count seconds. Undefined for what is no id of
 * TikTok.
 */
function idGivenAt(id: string, now: number): number | undefined {
  if (!/^\d{15,20}$/.test(id)) return undefined;
  const at = Number(BigInt(id) >> SECOND_BITS) * SECOND_MS;
  return at >= EARLIEST_AT && at <= now + AHEAD_MS ? at : undefined;
}
