import { setTimeout as sleep } from "node:timers/promises";
import {
  type Connector,
  type GapReason,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
} from "../../connector.js";
import type { PostingDraft } from "../../posting-draft.js";
import { type Position, positionOf, toJson } from "../cursor.js";
import { ENTRIES_MAX } from "./read-feed.js";
import { followedFeeds, readerNameOf } from "./query.js";
import { type Refresh, type RefreshDeps, refreshFeed } from "./refresh.js";
import type { FeedItem, FeedRecord, FeedStore } from "./store.js";

const LOOK_BACK_MS = 7 * 24 * 60 * 60_000;
const INTERVAL_MS_MIN = 5 * 60_000;
/** Feeds of one search that are fetched at a time. */
const FETCHES = 4;
/** No further feed is fetched after this time; the others have their turn with the next poll. */
const FETCHING_MS = 30_000;
/** How long a search waits for a feed that nobody has read yet and that another search is fetching. */
const OTHERS_MS = 20_000;
const LOOK_AGAIN_MS = 200;
/** A search whose feeds all fail for long looks after this time whether another search has found one well. */
const LOOK_ANYWAY_MS = 24 * 60 * 60_000;
/** A feed that failed is not tried for every new search. */
const TRY_AGAIN_MS = 60 * 60_000;
/** Items of one page: they are narrowed by the query after they are read. */
const PAGE_MIN = 200;
const PREVIEW_ITEMS = 1000;

export interface FeedsDeps extends RefreshDeps {
  /** Feeds that every search follows. */
  readonly serverFeeds: readonly string[];
}

/**
 * News from feeds. A poll fetches the feeds that are due, once for all searches, and then reads on in what is stored
 * from its own position. The query is matched by the caller.
 */
export class FeedsConnector implements Connector {
  readonly mode = "follow";
  readonly lookBackMs = LOOK_BACK_MS;
  readonly intervalMinMs: number;

  constructor(private readonly deps: FeedsDeps) {
    const { isExplicit, intervalMs } = deps.pauses;
    this.intervalMinMs = isExplicit ? intervalMs : INTERVAL_MS_MIN;
  }

  plan(search: PlatformSearch): Plan {
    const { urls, warnings } = followedFeeds(search, this.deps.serverFeeds);
    const none = urls.length === 0 ? ["No feed is followed. Name feeds in query.follow.feeds, or set NEWS_FEEDS."] : [];
    return {
      queries: urls.map(readerNameOf),
      narrowedLocally: true,
      cost: "at most 1 request per feed, shared by all searches",
      warnings: [...warnings, ...none],
    };
  }

  async fetchPage(request: PageRequest): Promise<Page> {
    request.signal.throwIfAborted();
    const { urls, warnings } = followedFeeds(request.search, this.deps.serverFeeds);
    if (urls.length === 0) {
      throw new PlatformError("permanent", "No feed is followed. Name feeds in query.follow.feeds.", { requests: 0 });
    }
    await this.deps.feeds.emptyLapsed();
    const refresh = request.pageToken === null ? await this.refreshAll(urls, request) : NOTHING;
    const records = await this.recordsRead(urls, request.signal);
    const page = await this.readPage(records, request);
    const isEmpty = request.pageToken === null && page.postings.length === 0;
    if (isEmpty) mustBeReadable(records, { search: request.search, now: this.deps.now() });
    return {
      ...page,
      ...refresh,
      ...hintOf(records),
      gaps: [
        ...(request.pageToken === null ? gapsOf(records, { since: request.since, now: this.deps.now() }) : []),
        ...crowdedOutGaps(records, startOf(request), request.since),
      ],
      warnings: [...warnings, ...records.flatMap(warningsOf)],
    };
  }

  private async refreshAll(urls: readonly string[], { signal, startedAt }: PageRequest): Promise<Refresh> {
    const left = (await this.recordsToFetch(urls, startedAt)).sort((a, b) => a.dueAt - b.dueAt);
    const until = performance.now() + FETCHING_MS;
    const done: Refresh[] = [];
    const lane = async (): Promise<void> => {
      for (let record = left.shift(); record !== undefined && performance.now() < until; record = left.shift()) {
        done.push(await refreshFeed(this.deps, record, signal));
      }
    };
    // All lanes end before the page does, so that nothing is written after it.
    const lanes = await Promise.allSettled(Array.from({ length: FETCHES }, lane));
    for (const ended of lanes) if (ended.status === "rejected") throw ended.reason;
    const total = (key: keyof Refresh): number => done.reduce((sum, refresh) => sum + refresh[key], 0);
    return { requests: total("requests"), skipped: total("skipped") };
  }

  /** The feeds. Those that failed for long are due again for a search that was created or resumed since. */
  private async recordsToFetch(urls: readonly string[], startedAt: number): Promise<FeedRecord[]> {
    const { feeds, now } = this.deps;
    const records = await feeds.recordsOf(urls);
    const recalled = records.filter((record) => isWorthTrying(record, { startedAt, now: now() }));
    for (const record of recalled) await feeds.recall(record);
    return recalled.length === 0 ? records : feeds.recordsOf(urls);
  }

  /** The feeds, once those have been read that are fetched for the first time, here or by another search. */
  private async recordsRead(urls: readonly string[], signal: AbortSignal): Promise<FeedRecord[]> {
    const { feeds, now } = this.deps;
    const until = performance.now() + OTHERS_MS;
    for (;;) {
      const records = await feeds.recordsOf(urls);
      const isAwaited = records.some((record) => isUnread(record) && record.dueAt > now());
      if (!isAwaited || performance.now() > until) return records;
      await sleep(LOOK_AGAIN_MS, undefined, { signal });
    }
  }

  private async readPage(
    records: readonly FeedRecord[],
    request: PageRequest,
  ): Promise<Pick<Page, "postings" | "nextPage" | "cursor">> {
    const { feeds } = this.deps;
    const { search, since, limit } = request;
    const ids = records.map(({ id }) => id);
    if (search.preview) {
      const postings = await readNewest(feeds, ids, { since, limit: PREVIEW_ITEMS });
      return { postings, nextPage: null, cursor: null };
    }
    const page = await readItems(feeds, ids, {
      from: startOf(request),
      sinceOf: sinceOf(request),
      limit: Math.max(limit, PAGE_MIN),
    });
    const position = toJson(page.position);
    return { postings: page.postings, nextPage: page.isLast ? null : position, cursor: position };
  }
}

const NOTHING: Refresh = { requests: 0, skipped: 0 };

/** Its owner may know that it is repaired. What its server asked for by Retry-After is kept to. */
function isWorthTrying(
  { problem, failedAt }: FeedRecord,
  { startedAt, now }: { startedAt: number; now: number },
): boolean {
  if (problem?.kind !== "gone" && problem?.kind !== "refused") return false;
  return failedAt !== null && failedAt < startedAt && failedAt + TRY_AGAIN_MS <= now;
}

/** Nobody has read it yet, nor failed to. */
function isUnread({ readAt, problem }: FeedRecord): boolean {
  return readAt === null && problem === null;
}

/** Where a page starts. */
function startOf({ pageToken, cursor, since }: PageRequest): Position {
  return positionOf(pageToken) ?? positionOf(cursor) ?? { since, read: {} };
}

/** Oldest time of posting that is wanted of a feed. */
function sinceOf(request: PageRequest): (id: string) => number {
  const { since } = startOf(request);
  const { addedSince = since } = request;
  // As the last complete poll left them: a feed that is added is so on each page of its first poll.
  const known = positionOf(request.cursor)?.read;
  return (id) => (known === undefined || id in known ? since : Math.max(since, addedSince));
}

/** Throws if no feed can be read, and for a preview, which reads once, also if they are still being fetched. */
function mustBeReadable(
  records: readonly FeedRecord[],
  { search: { preview }, now }: { search: PlatformSearch; now: number },
): void {
  const unread = records.filter((record) => record.problem !== null || (preview && isUnread(record)));
  if (unread.length < records.length) return;
  const [first = "They are being fetched."] = unread.flatMap((record) => problemOf(record) ?? []);
  const message = unread.length === 1 ? first : `None of ${unread.length} feeds can be read. ${first}`;
  const kinds = new Set(unread.map(({ problem }) => problem?.kind));
  const retryAt = Math.min(...unread.map(({ dueAt }) => dueAt), now + LOOK_ANYWAY_MS);
  if (kinds.size > 1) throw new PlatformError("temporary", message, { retryAt });
  throw new PlatformError(kinds.has("gone") ? "permanent" : kinds.has("busy") ? "rate" : "temporary", message, {
    retryAt,
  });
}

/** A poll is useful when the first feed is due. */
function hintOf(records: readonly FeedRecord[]): Pick<Page, "hintNextAt"> {
  return { hintNextAt: Math.min(...records.map(({ dueAt }) => dueAt)) };
}

/** Items of one page, from all feeds. */
interface ItemPage {
  readonly postings: readonly PostingDraft[];
  readonly position: Position;
  /** Whether there is more to read. */
  readonly isLast: boolean;
}

/** Reads on from a position: at most `limit` items, feed after feed. Items older than the search wants are passed over. */
async function readItems(
  feeds: FeedStore,
  ids: readonly string[],
  { from, sinceOf: wantedSince, limit }: { from: Position; sinceOf: (id: string) => number; limit: number },
): Promise<ItemPage> {
  const read: Record<string, number> = { ...from.read };
  const postings: PostingDraft[] = [];
  let left = limit;
  for (const id of ids) {
    const items = await feeds.itemsAfter(id, read[id] ?? 0, left);
    postings.push(...wantedOf(items, wantedSince(id)));
    read[id] = items.at(-1)?.seq ?? read[id] ?? 0;
    left -= items.length;
    if (left === 0) return { postings, position: { ...from, read }, isLast: false };
  }
  // A feed that is not followed any more is forgotten, and read from its beginning if it is followed again.
  const followed = Object.fromEntries(ids.map((id) => [id, read[id] ?? 0]));
  return { postings, position: { ...from, read: followed }, isLast: true };
}

/** The newest postings of all feeds, by time of posting. */
async function readNewest(
  feeds: FeedStore,
  ids: readonly string[],
  { since, limit }: { since: number; limit: number },
): Promise<PostingDraft[]> {
  const lists = await Promise.all(ids.map((id) => feeds.newestItems(id, limit)));
  const postings = wantedOf(lists.flat(), since);
  return postings.sort((a, b) => b.postedAt - a.postedAt).slice(0, limit);
}

function wantedOf(items: readonly FeedItem[], since: number): PostingDraft[] {
  return items.map(({ posting }) => posting).filter(({ postedAt }) => postedAt >= since);
}

/** A span of time of posting, in milliseconds since the epoch, of which items may be missing. */
interface Gap {
  readonly from: number;
  readonly to: number;
  readonly reason: GapReason;
}

/**
 * What a poll may miss: items older than those of the first document of a feed, those that a feed has published since
 * it could be read last, and those of a document with too many entries that are not read.
 */
function gapsOf(records: readonly FeedRecord[], { since, now }: { since: number; now: number }): Gap[] {
  return records
    .flatMap(({ readAt, coversFrom, problem, lacksNewest }): Gap[] => [
      { from: since, to: coversFrom ?? now, reason: coversFrom === null ? "pending" : "before_window" },
      ...(problem === null ? [] : [{ from: readAt ?? since, to: now, reason: "outage" } as const]),
      ...(lacksNewest ? [{ from: since, to: now, reason: "page_limit" } as const] : []),
    ])
    .filter(isSpan);
}

/** What a poll that continues at a position misses, because a feed had too many items for this search to read in time. */
function crowdedOutGaps(records: readonly FeedRecord[], position: Position, since: number): Gap[] {
  return records
    .flatMap(({ id, crowdedOut }): Gap[] => {
      const { seq, until } = crowdedOut ?? { seq: 0, until: 0 };
      return seq > (position.read[id] ?? 0) ? [{ from: since, to: until, reason: "page_limit" }] : [];
    })
    .filter(isSpan);
}

function isSpan({ from, to }: Gap): boolean {
  return from < to;
}

/** A sentence about a feed that cannot be read; undefined if it can. */
function problemOf({ url, problem }: FeedRecord): string | undefined {
  return problem === null ? undefined : `The feed ${readerNameOf(url)} cannot be read. ${problem.message}`;
}

/** What the owner of a search should know about a feed. */
function warningsOf(record: FeedRecord): string[] {
  const cut = `The feed ${readerNameOf(record.url)} has more than ${ENTRIES_MAX} entries. The first ones are read.`;
  return [problemOf(record) ?? [], record.isCut ? cut : []].flat();
}
