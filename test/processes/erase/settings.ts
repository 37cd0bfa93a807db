import { TEST_SETTINGS } from "../../support/server.js";

/** The work of these tests is to erase, not to analyze. */
const FAST = Object.fromEntries(
  ["SENTIMENT_SIMPLE", "SENTIMENT_REAL", "TOPIC", "INTENTION", "SPAM_DETECTION"].map((type) => [
    `ENGINE_${type}`,
    "fast",
  ]),
);

/** Settings of a product that collects from feeds on the loopback interface, and where leases are short. */
export const ERASE_SETTINGS = {
  ...TEST_SETTINGS,
  ...FAST,
  ...{ NEWS_FEEDS: "none", ALLOW_PRIVATE_URLS: "true", EXTRA_PLATFORMS: "bluesky" },
  ...{ LEASE_SECONDS: "2", COLLECT_INTERVAL_SECONDS: "2", BLUESKY_JETSTREAM_URL: "ws://127.0.0.1:1/subscribe" },
};
