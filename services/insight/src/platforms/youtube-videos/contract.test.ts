import { YoutubeUpstream } from "@hourglass/demo";
import { describeConnector } from "../testing/connector-contract.js";
import { YOUTUBE_VIDEOS } from "./index.js";

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
