import { TwitterUpstream } from "@hourglass/demo";
import { describeConnector } from "../testing/connector-contract.js";
import { TWITTER } from "./index.js";

const TOKEN = "AAAA-secret-token";

describeConnector({
  module: TWITTER,
  start: (now) => TwitterUpstream.start({ token: TOKEN, now }),
  env: ({ origin }) => ({
    TWITTER_BEARER_TOKEN: TOKEN,
    TWITTER_BASE_URL: origin,
    TWITTER_POSTS_PER_MONTH: "3000000",
  }),
  secret: TOKEN,
  pageSize: 100,
  answers: {
    itemsOf: (body) => (body as { data?: Record<string, unknown>[] }).data ?? [],
    required: ["id", "text", "created_at"],
  },
  rechecks: {
    termMs: 24 * 60 * 60_000,
    remove: ({ timeline }, id) => timeline.remove(id),
    change: ({ timeline }, id) => {
      timeline.edit(id, (post) => ({ ...post, likes: 987_654_321 }));
      return { text: "987654321" };
    },
  },
});
