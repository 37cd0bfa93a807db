import { variable } from "@hourglass/runtime";
import { definePlatform } from "../connector.js";

const REQUESTS_DEFAULT = 1000;
const REQUESTS_MAX = 100_000;

/** The variables of the platform tiktok. */
const tiktokVariables = {
  /** Key and secret of a client that TikTok has approved for its Research API. */
  TIKTOK_CLIENT_KEY: variable.secret(variable.text().optional()),
  TIKTOK_CLIENT_SECRET: variable.secret(variable.text().optional()),
  TIKTOK_BASE_URL: variable.url("https", "http").default("https://open.tiktokapis.com"),
  /** Requests that may be sent in a day of UTC: TikTok allows 1,000 unless it has agreed to more. */
  TIKTOK_REQUESTS_PER_DAY: variable.integer(1, REQUESTS_MAX, REQUESTS_DEFAULT),
};

const MISSING =
  "Set TIKTOK_CLIENT_KEY and TIKTOK_CLIENT_SECRET to those of a client that TikTok has approved for its Research API " +
  "(docs/platforms/tiktok.md), or import postings.";

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
    const [{ TiktokApi }, { TiktokConnector }] = await Promise.all([import("./api.js"), import("./connector.js")]);
    const requestsPerDay = values.TIKTOK_REQUESTS_PER_DAY;
    const api = new TiktokApi(deps, { baseUrl, key, secret, requestsPerDay });
    return { connector: new TiktokConnector(api, { requestsPerDay, now: deps.now }) };
  },
});
