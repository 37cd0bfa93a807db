import { variable } from "@hourglass/runtime";

const REQUESTS_DEFAULT = 1000;
const REQUESTS_MAX = 100_000;

/** The variables of the platform tiktok. */
export const tiktokVariables = {
  /** Key and secret of a client that TikTok has approved for its Research API. */
  TIKTOK_CLIENT_KEY: variable.secret(variable.text().optional()),
  TIKTOK_CLIENT_SECRET: variable.secret(variable.text().optional()),
  TIKTOK_BASE_URL: variable.url("https", "http").default("https://open.tiktokapis.com"),
  /** Requests that may be sent in a day of UTC: TikTok allows 1,000 unless it has agreed to more. */
  TIKTOK_REQUESTS_PER_DAY: variable.integer(1, REQUESTS_MAX, REQUESTS_DEFAULT),
};
