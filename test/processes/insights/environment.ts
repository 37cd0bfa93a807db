import { TEST_SETTINGS } from "../../support/server.js";
import type { TestStorage } from "../../support/test-storage.js";

export interface InsightsEnvOptions {
  leaseSeconds: number;
  intervalSeconds: number;
}

/** Settings of a product under test that collects from feeds on the loopback interface. */
export function insightsEnv(
  { env, dataDir }: TestStorage,
  { leaseSeconds, intervalSeconds }: InsightsEnvOptions,
): Record<string, string> {
  return {
    ...TEST_SETTINGS,
    ...env,
    NODE_ENV: "test",
    LOG_LEVEL: "info",
    LEASE_SECONDS: String(leaseSeconds),
    ALLOW_PRIVATE_URLS: "true",
    COLLECT_INTERVAL_SECONDS: String(intervalSeconds),
    // Only the feeds that insights name: a feed of the server that can be read would hide failures of theirs.
    NEWS_FEEDS: `file://${dataDir}/no-feed.xml`,
  };
}
