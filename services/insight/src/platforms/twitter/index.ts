import { definePlatform } from "../connector.js";
import { twitterVariables } from "./config.js";

const MISSING =
  "Set TWITTER_BEARER_TOKEN to the bearer token of an app of X's developer console (docs/platforms.md), or import postings.";

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
    const [{ createBudgets }, { createTwitterConnector }] = await Promise.all([
      import("./budgets.js"),
      import("./connector.js"),
    ]);
    const address = { baseUrl: values.TWITTER_BASE_URL, naming: values.TWITTER_FIELD_NAMES };
    const budgets = createBudgets(deps, postsPerMonth);
    const { http, now } = deps;
    return { connector: createTwitterConnector({ http, now, budgets, address, token, postsPerMonth }) };
  },
});
