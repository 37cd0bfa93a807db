import { YoutubeUpstream } from "@hourglass/demo";
import { describeConnector } from "../testing/connector-contract.js";
import type { Upstream } from "../testing/connector-world.js";
import { YOUTUBE_COMMENTS, YOUTUBE_VIDEOS } from "./index.js";

const KEY = "AIza-secret-key";

describeConnector({
  module: YOUTUBE_VIDEOS,
  start: (now) => YoutubeUpstream.start({ key: KEY, now, searchesPerDay: Infinity, unitsPerDay: Infinity }),
  env: ({ origin }) => ({
    YOUTUBE_API_KEY: KEY,
    YOUTUBE_BASE_URL: origin,
    YOUTUBE_SEARCHES_PER_DAY: "1000000",
    YOUTUBE_UNITS_PER_DAY: "100000000",
  }),
  secret: KEY,
  pageSize: 50,
  answers: {
    before: 1,
    itemsOf: (body) => (body as { items?: Record<string, unknown>[] }).items ?? [],
    required: ["id", "snippet"],
  },
  rechecks: {
    termMs: 30 * 24 * 60 * 60_000,
    remove: ({ videos }, id) => videos.remove(id),
    change: ({ videos }, id) => {
      videos.edit(id, (video) => ({ ...video, description: "Edited, a kestrel still." }));
      return { text: "Edited, a kestrel still." };
    },
  },
});

interface Comments extends Upstream {
  readonly origin: string;
  readonly comments: YoutubeUpstream["comments"];
}

/** The fake of YouTube, seen from the comments on one video, which is there with the first of them. */
async function start(now: () => number): Promise<Comments> {
  const upstream = await YoutubeUpstream.start({ key: KEY, now, searchesPerDay: Infinity, unitsPerDay: Infinity });
  let videoId: string | undefined;
  return {
    origin: upstream.origin,
    seen: upstream.seen,
    timeline: upstream.comments,
    comments: upstream.comments,
    post: ({ at }) => upstream.comment({ at, videoId: (videoId ??= upstream.post({ at })) }),
    failNext: (...faults) => upstream.failNext(...faults),
    failAlways: (fault) => upstream.failAlways(fault),
    close: () => upstream.close(),
  };
}

describeConnector({
  module: YOUTUBE_COMMENTS,
  start,
  env: ({ origin }) => ({
    YOUTUBE_API_KEY: KEY,
    YOUTUBE_BASE_URL: origin,
    YOUTUBE_SEARCHES_PER_DAY: "1000000",
    YOUTUBE_UNITS_PER_DAY: "100000000",
  }),
  secret: KEY,
  pageSize: 100,
  answers: {
    before: 2,
    itemsOf: (body) => (body as { items?: Record<string, unknown>[] }).items ?? [],
    required: ["snippet"],
  },
  rechecks: {
    termMs: 30 * 24 * 60 * 60_000,
    remove: ({ comments }, id) => comments.remove(id),
    change: ({ comments }, id) => {
      comments.edit(id, (comment) => ({ ...comment, text: "Edited, a kestrel still." }));
      return { text: "Edited, a kestrel still." };
    },
  },
});
