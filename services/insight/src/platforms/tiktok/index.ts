import { definePlatform } from "../connector.js";
import { tiktokVariables } from "./config.js";

const MISSING =
  "Set TIKTOK_CLIENT_KEY and TIKTOK_CLIENT_SECRET to those of a client that TikTok has approved for its Research API " +
  "(docs/platforms.md), or import postings.";

const HOSTS = /^(?:www\.|m\.)?tiktok\.com$/;
const VIDEO = /^\/@[^/]+\/(?:video|photo)\/(\d+)/;

/** TikTok by its Research API. */
export const TIKTOK = definePlatform({
  name: "tiktok",
  variables: tiktokVariables,
  origins: ({ TIKTOK_BASE_URL: baseUrl }) => [new URL(baseUrl).origin],
  socialIdIn: ({ hostname, pathname }) => (HOSTS.test(hostname) ? VIDEO.exec(pathname)?.[1] : undefined),
  open: async (deps, values) => {
    const { TIKTOK_CLIENT_KEY: key, TIKTOK_CLIENT_SECRET: secret, TIKTOK_BASE_URL: baseUrl } = values;
    if (key === undefined || secret === undefined) return { missing: MISSING };
    const [{ AppTokens }, { PacedBudget }, { grantToken }, { createTiktokConnector }] = await Promise.all([
      import("../app-tokens.js"),
      import("../budget.js"),
      import("./asking/grant-token.js"),
      import("./connector.js"),
    ]);
    const { http, now } = deps;
    const requestsPerDay = values.TIKTOK_REQUESTS_PER_DAY;
    const budget = new PacedBudget(deps, {
      name: "tiktok.requests",
      limit: requestsPerDay,
      period: "day",
      units: "requests of TikTok",
      setting: "TIKTOK_REQUESTS_PER_DAY",
    });
    const tokens = new AppTokens(() => grantToken({ http, now, baseUrl, key, secret }), now);
    return { connector: createTiktokConnector({ http, now, budget, tokens, baseUrl, requestsPerDay }) };
  },
});
