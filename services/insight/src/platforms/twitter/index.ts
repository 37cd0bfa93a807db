import { variable } from "@hourglass/runtime";
import * as z from "zod";
import { definePlatform } from "../connector.js";

const POSTS_MIN = 100;
/** X sells no more a month by use. */
const POSTS_MAX = 3_000_000;
const POSTS_DEFAULT = 10_000;

/** The variables of the platform twitter. */
const twitterVariables = {
  /** Token of an app of X's developer console. */
  TWITTER_BEARER_TOKEN: variable.secret(variable.text().optional()),
  TWITTER_BASE_URL: variable.url("https", "http").default("https://api.x.com"),
  /** Posts that may be read in a month of UTC: X bills each. */
  TWITTER_POSTS_PER_MONTH: variable.integer(POSTS_MIN, POSTS_MAX, POSTS_DEFAULT),
  /** How X names the fields of a request: it has begun to call tweets posts. */
  TWITTER_FIELD_NAMES: z.enum(["tweet", "post"], "tweet or post").default("tweet"),
};

const MISSING =
  "Set TWITTER_BEARER_TOKEN to the bearer token of an app of X's developer console (docs/platforms/x.md), or import postings.";

const HOSTS = /^(?:www\.|mobile\.)?(?:x|twitter)\.com$/;
const STATUS = /^\/(?:i\/web|[^/]+)\/status(?:es)?\/(\d+)/;

/** X, formerly Twitter, by its recent search. */
export const TWITTER = definePlatform({
  name: "twitter",
  variables: twitterVariables,
  origins: ({ TWITTER_BASE_URL: baseUrl }) => [new URL(baseUrl).origin],
  socialIdIn: ({ hostname, pathname }) => (HOSTS.test(hostname) ? STATUS.exec(pathname)?.[1] : undefined),
  open: async (deps, values) => {
    const { TWITTER_BEARER_TOKEN: token, TWITTER_POSTS_PER_MONTH: postsPerMonth } = values;
    if (token === undefined) return { missing: MISSING };
    const [{ TwitterApi }, { TwitterConnector }] = await Promise.all([import("./api.js"), import("./connector.js")]);
    const { TWITTER_BASE_URL: baseUrl, TWITTER_FIELD_NAMES: naming } = values;
    const api = new TwitterApi(deps, { baseUrl, naming, token, postsPerMonth });
    return { connector: new TwitterConnector(api, { postsPerMonth, now: deps.now }) };
  },
});
