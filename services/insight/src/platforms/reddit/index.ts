import { definePlatform } from "../connector.js";
import { redditVariables } from "./config.js";

const MISSING =
  "Set REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET to those of an app that Reddit has approved (docs/platforms.md), or import postings.";

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
    const [{ RedditApi }, { createRedditConnector }] = await Promise.all([
      import("./asking/reddit-api.js"),
      import("./connector.js"),
    ]);
    const { REDDIT_BASE_URL: baseUrl, REDDIT_REQUESTS_PER_MINUTE: requestsPerMinute } = values;
    const credentials = { clientId, clientSecret, userAgent };
    const api = new RedditApi(deps, { credentials, authUrl: values.REDDIT_AUTH_URL, requestsPerMinute });
    const server = { subreddits: values.REDDIT_SUBREDDITS, comments: values.REDDIT_COMMENTS };
    return { connector: createRedditConnector({ api, baseUrl, server, requestsPerMinute, now: deps.now }) };
  },
});
