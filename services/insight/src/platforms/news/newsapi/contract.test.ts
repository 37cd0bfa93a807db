import { NewsapiUpstream } from "@hourglass/demo";
import { describeConnector } from "../../testing/connector-contract.js";
import { NEWS } from "../index.js";

const KEY = "0123456789abcdef-secret";

describeConnector({
  module: NEWS,
  start: (now) => NewsapiUpstream.start({ key: KEY, now }),
  env: ({ origin }) => ({
    NEWS_FEEDS: "none",
    NEWSAPI_KEY: KEY,
    NEWSAPI_BASE_URL: origin,
    NEWSAPI_REQUESTS_PER_DAY: "1000000",
  }),
  secret: KEY,
  pageSize: 100,
  // Rejected credentials of one source must not stop searches that read others.
  faults: {
    "credentials that are rejected": { status: "failing", sentence: /rejects the credentials.*renew/ },
    "an app without the permission": { status: "failing", sentence: /forbids.*access/ },
    "a redirect to a sign-in page": { status: "failing", sentence: /sign-in/ },
  },
  answers: {
    itemsOf: (body) => (body as { articles: Record<string, unknown>[] }).articles,
    required: ["url", "title", "publishedAt"],
  },
});
