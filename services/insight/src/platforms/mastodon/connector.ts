import { readNext, type Walk } from "../sources.js";
import { hashtagsFor } from "../hashtags.js";
import type { Connector, PageRequest, Plan, PlatformDeps, PlatformSearch } from "../connector.js";
import { asProblemOfOne } from "./asking/failure.js";
import type { MastodonServer } from "./asking/mastodon-server.js";
import { askTimeline, readTimelinePage } from "./reading/read-timeline.js";
import { nameOf, type TagTimeline, timelinesOf, warningsOf } from "./sources.js";

const MINUTE_MS = 60_000;
const LOOK_BACK_MS = 7 * 24 * 60 * MINUTE_MS;
const INTERVAL_MS_MIN = 2 * MINUTE_MS;
/** Any server has postings with it. */
const CHECKED_TAG = "mastodon";
const NOTHING = "Mastodon cannot be asked for any of these keywords. Use words that can be hashtags.";
const TAGGED_ONLY = "Mastodon is asked for hashtags: postings that have the words in their text alone are not found.";

export interface MastodonDeps extends Pick<PlatformDeps, "now"> {
  readonly servers: readonly MastodonServer[];
}

/** Postings with the hashtags of a query, as named servers know them. The query is matched by the caller. */
export function createMastodonConnector({ servers, now }: MastodonDeps): Connector {
  const [only] = servers.length === 1 ? servers : [];
  const walk: Walk<TagTimeline> = {
    sourcesOf: ({ query }) => timelinesOf(hashtagsFor(query), servers),
    read: async (timeline, at, request) => {
      try {
        return await readTimelinePage(timeline, at, request.signal);
      } catch (error) {
        throw only === undefined && !request.signal.aborted ? asProblemOfOne(error) : error;
      }
    },
    warningsOf: ({ query }) => warningsOf(hashtagsFor(query)),
    nothing: NOTHING,
    notBefore: () => only?.notBefore,
    now,
  };
  return {
    mode: "follow",
    lookBackMs: LOOK_BACK_MS,
    intervalMinMs: INTERVAL_MS_MIN,
    plan: (search) => planOf(servers, search),
    fetchPage: (request) => readNext(walk, request),
    check: (request) => check(servers, request),
  };
}

function planOf(servers: readonly MastodonServer[], { query }: PlatformSearch): Plan {
  const plan = hashtagsFor(query);
  const queries = servers.flatMap((server) => plan.hashtags.map((hashtag) => nameOf(server, hashtag)));
  return {
    queries,
    narrowedLocally: true,
    cost: `${queries.length} requests, and 1 for each further 40 postings`,
    warnings: [...warningsOf(plan), queries.length === 0 ? NOTHING : TAGGED_ONLY],
  };
}

/** Asks each server, because one may show its timelines to the public and another not. */
async function check(servers: readonly MastodonServer[], { signal }: PageRequest): Promise<void> {
  for (const server of servers) await askTimeline(server, { tag: CHECKED_TAG, limit: 1 }, signal);
}
