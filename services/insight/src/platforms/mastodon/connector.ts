import {
  type Connector,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
} from "../connector.js";
import { hashtagsFor, withWords } from "../hashtags.js";
import { headerOf, type JsonResponse } from "../http-json.js";
import { readEach } from "../schemas.js";
import { readNext, type SourceAt, type SourcePage, type Walk } from "../sources.js";
import { asErrorOfOne, type MastodonServer, type MastodonStatus, nextMaxId, readStatus } from "./api.js";
import { toPosting } from "./posting.js";
import { nameOf, type TagTimeline, timelinesOf, warningsOf } from "./query.js";

const MINUTE_MS = 60_000;
const LOOK_BACK_MS = 7 * 24 * 60 * MINUTE_MS;
const INTERVAL_MS_MIN = 2 * MINUTE_MS;
/** Servers return no more a page. */
const PAGE_STATUSES = 40;
/** Pages of one timeline in a poll. */
const PAGES_MAX = 20;
/** What other servers posted arrives late, and stands in the timeline at the time of its posting. */
const LATE_MS = 30 * MINUTE_MS;
/** Any server has postings with it. */
const CHECKED_TAG = "mastodon";
const NOTHING = "Mastodon cannot be asked for any of these keywords. Use words that can be hashtags.";
const TAGGED_ONLY = "Mastodon is asked for hashtags: postings that have the words in their text alone are not found.";

/** Postings with the hashtags of a query, as named servers know them. The query is matched by the caller. */
export class MastodonConnector implements Connector {
  readonly mode = "follow";
  readonly lookBackMs = LOOK_BACK_MS;
  readonly intervalMinMs = INTERVAL_MS_MIN;
  private readonly walk: Walk<TagTimeline>;

  constructor(
    private readonly servers: readonly MastodonServer[],
    now: () => number,
  ) {
    const [only] = servers.length === 1 ? servers : [];
    this.walk = {
      sourcesOf: ({ query }) => timelinesOf(hashtagsFor(query), servers),
      read: async (timeline, at, request) => {
        try {
          return await readTimelinePage(timeline, at, request.signal);
        } catch (error) {
          throw only === undefined && !request.signal.aborted ? asErrorOfOne(error) : error;
        }
      },
      warningsOf: ({ query }) => warningsOf(hashtagsFor(query)),
      nothing: NOTHING,
      notBefore: () => only?.notBefore,
      now,
    };
  }

  plan({ query }: PlatformSearch): Plan {
    const plan = hashtagsFor(query);
    const queries = this.servers.flatMap((server) => plan.hashtags.map((hashtag) => nameOf(server, hashtag)));
    return {
      queries,
      narrowedLocally: true,
      cost: `${queries.length} requests, and 1 for each further 40 postings`,
      warnings: [...warningsOf(plan), queries.length === 0 ? NOTHING : TAGGED_ONLY],
    };
  }

  fetchPage(request: PageRequest): Promise<Page> {
    return readNext(this.walk, request);
  }

  /** Asks each server, because one may show its timelines to the public and another not. */
  async check({ signal }: PageRequest): Promise<void> {
    for (const server of this.servers) await server.timeline({ tag: CHECKED_TAG, limit: 1 }, signal);
  }
}

/**
 * Reads one page of a tag timeline. Its order is that of the times of posting, so it is read from its newest posting to
 * before the last poll, and not onwards from the last known one: what arrives late stands after that.
 */
async function readTimelinePage(
  { server, hashtag }: TagTimeline,
  at: SourceAt,
  signal: AbortSignal,
): Promise<SourcePage> {
  const response = await server.timeline({ tag: hashtag.name, limit: PAGE_STATUSES, maxId: at.after }, signal);
  if (!Array.isArray(response.body)) {
    throw new PlatformError("temporary", `${server.host} returns no timeline. It will be retried.`);
  }
  const { items, skipped } = readEach(response.body, readStatus);
  const from = Math.max(at.since, (at.readUntil ?? 0) - LATE_MS);
  const wanted = items.filter((status) => status.created_at >= from);
  return {
    postings: wanted.map((status) => withWords(toPosting(status, server.host), hashtag)),
    skipped,
    requests: 1,
    ...pageAfter(response, { items, wanted, at, from }),
  };
}

interface Read {
  readonly items: readonly MastodonStatus[];
  readonly wanted: readonly MastodonStatus[];
  readonly at: SourceAt;
  /** Oldest wanted time, in milliseconds since the epoch. */
  readonly from: number;
}

/** Where the timeline continues; after too many pages it does not, and what is older than the last page is a gap. */
function pageAfter(response: JsonResponse, { items, wanted, at, from }: Read): Pick<SourcePage, "after" | "gaps"> {
  // A server that states no links may return fewer postings than it is asked for, so only an empty page is the last one.
  const last = headerOf(response, "link") === "" ? items.at(-1)?.id : undefined;
  const next = wanted.length === 0 ? undefined : (nextMaxId(response) ?? last);
  if (next === undefined) return { after: null };
  if (at.pages + 1 < PAGES_MAX) return { after: next };
  const oldest = Math.min(...wanted.map((status) => status.created_at));
  return { after: null, ...(oldest > from && { gaps: [{ from, to: oldest, reason: "page_limit" }] }) };
}
