import { variable } from "@hourglass/runtime";
import * as z from "zod";
import { definePlatform } from "../connector.js";

/** Reddit gives clients that do not name themselves so hardly any requests. */
const USER_AGENT = /^[!-~]+:[!-~]+:[!-~]+ \(by \/u\/[\w-]{1,30}\)$/;
/** As Reddit agrees with most clients; a contract may say more. */
const REQUESTS_DEFAULT = 100;
const REQUESTS_MAX = 10_000;

/** The variables of the platform reddit. */
export const redditVariables = {
  /** Id and secret of an app that Reddit has approved. */
  REDDIT_CLIENT_ID: variable.text().optional(),
  REDDIT_CLIENT_SECRET: variable.secret(variable.text().optional()),
  /** Default: a name made of the id of the app. */
  REDDIT_USER_AGENT: z
    .string()
    .regex(USER_AGENT, "<platform>:<app id>:<version> (by /u/<name>), such as server:listening:1.0 (by /u/ada_example)")
    .optional(),
  /** Subreddits that every search follows. */
  REDDIT_SUBREDDITS: variable.entries(
    subredditName,
    "names of subreddits with commas between, such as phones,gadgets",
    [],
    "",
  ),
  /** Whether comments of followed subreddits are read. */
  REDDIT_COMMENTS: variable.flag,
  /** Requests of all processes together. */
  REDDIT_REQUESTS_PER_MINUTE: variable.integer(10, REQUESTS_MAX, REQUESTS_DEFAULT),
  REDDIT_BASE_URL: variable.url("https", "http").default("https://oauth.reddit.com"),
  /** Where tokens are asked for. */
  REDDIT_AUTH_URL: variable.url("https", "http").default("https://www.reddit.com"),
};

/** A name as in the query of a search; people often write `r/` before it. */
function subredditName(entry: string): string | undefined {
  return /^(?:\/?r\/)?([A-Za-z0-9_]{2,21})$/.exec(entry)?.[1];
}

const MISSING =
  "Set REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET to those of an app that Reddit has approved (docs/platforms/reddit.md), or import postings.";

const HOSTS = /^(?:www\.|old\.|new\.|np\.)?reddit\.com$/;
const THING = /^(?:\/(?:r|user)\/[^/]+)?\/comments\/(\w+)(?:\/[^/]*\/(\w+))?/;

function socialIdIn({ hostname, pathname }: URL): string | undefined {
  const [, submission, comment] = (HOSTS.test(hostname) && THING.exec(pathname)) || [];
  if (comment !== undefined) return `t1_${comment}`;
  return submission === undefined ? undefined : `t3_${submission}`;
}

/** In the form that Reddit asks for; only the operator knows the name of the account, so the app stands in for it. */
const defaultUserAgent = (clientId: string) => `server:${clientId}:1.0 (by /u/${clientId})`;

/** Reddit by its data API. */
export const REDDIT = definePlatform({
  name: "reddit",
  variables: redditVariables,
  origins: ({ REDDIT_BASE_URL: data, REDDIT_AUTH_URL: tokens }) => [new URL(data).origin, new URL(tokens).origin],
  socialIdIn,
  open: async (deps, values) => {
    const { REDDIT_CLIENT_ID: clientId, REDDIT_CLIENT_SECRET: clientSecret } = values;
    if (clientId === undefined || clientSecret === undefined) return { missing: MISSING };
    const userAgent = values.REDDIT_USER_AGENT ?? defaultUserAgent(clientId);
    const [{ RedditApi }, { RedditConnector }] = await Promise.all([import("./api.js"), import("./connector.js")]);
    const {
      REDDIT_BASE_URL: baseUrl,
      REDDIT_AUTH_URL: authUrl,
      REDDIT_REQUESTS_PER_MINUTE: requestsPerMinute,
    } = values;
    const credentials = { clientId, clientSecret, userAgent };
    const api = new RedditApi(deps, { credentials, baseUrl, authUrl, requestsPerMinute });
    const followed = { subreddits: values.REDDIT_SUBREDDITS, comments: values.REDDIT_COMMENTS };
    return { connector: new RedditConnector(api, { followed, requestsPerMinute, now: deps.now }) };
  },
});
