import { definePlatform } from "../connector.js";
import { linkedinVariables } from "./config.js";

const MISSING =
  "Set LINKEDIN_ACCESS_TOKEN to the token of a member who administers organisations, or LINKEDIN_REFRESH_TOKEN, " +
  "LINKEDIN_CLIENT_ID and LINKEDIN_CLIENT_SECRET (docs/platforms.md), or import postings.";

const POST = /^\/feed\/update\/(urn:li:(?:share|ugcPost):\d+)/;

/** LinkedIn, by organisations that a member administers: LinkedIn offers no search of posts. */
export const LINKEDIN = definePlatform({
  name: "linkedin",
  variables: linkedinVariables,
  origins: ({ LINKEDIN_BASE_URL: baseUrl, LINKEDIN_SIGN_IN_URL: signInUrl }) => [
    new URL(baseUrl).origin,
    new URL(signInUrl).origin,
  ],
  socialIdIn: ({ hostname, pathname }) =>
    hostname === "www.linkedin.com" ? POST.exec(pathname.replaceAll(/%3a/gi, ":"))?.[1] : undefined,
  open: async (deps, values) => {
    const { http, now } = deps;
    const { LINKEDIN_ACCESS_TOKEN: token, LINKEDIN_SIGN_IN_URL: signInUrl } = values;
    const { LINKEDIN_REFRESH_TOKEN: refreshToken, LINKEDIN_CLIENT_ID: id, LINKEDIN_CLIENT_SECRET: secret } = values;
    const isRenewable = refreshToken !== undefined && id !== undefined && secret !== undefined;
    if (!isRenewable && token === undefined) return { missing: MISSING };
    const [{ AppTokens }, { PacedBudget }, { LinkedinApi }, { renewToken }, { createLinkedinConnector }] =
      await Promise.all([
        import("../app-tokens.js"),
        import("../budget.js"),
        import("./asking/linkedin-api.js"),
        import("./asking/renew-token.js"),
        import("./connector.js"),
      ]);
    const requestsPerDay = values.LINKEDIN_REQUESTS_PER_DAY;
    const budget = new PacedBudget(deps, {
      name: "linkedin.requests",
      limit: requestsPerDay,
      period: "day",
      units: "requests of LinkedIn",
      setting: "LINKEDIN_REQUESTS_PER_DAY",
    });
    const tokens = isRenewable
      ? new AppTokens(() => renewToken({ http, now, signInUrl, refreshToken, id, secret }), now)
      : token;
    const api = new LinkedinApi(
      { http, now, budget },
      { baseUrl: values.LINKEDIN_BASE_URL, version: values.LINKEDIN_VERSION, tokens },
    );
    const serverIds = values.LINKEDIN_ORGANIZATIONS;
    return { connector: createLinkedinConnector({ api, now, serverIds, requestsPerDay }) };
  },
});
