import { variable } from "@hourglass/runtime";
import { definePlatform } from "../connector.js";

/** Servers allow 300 requests in five minutes from one address. */
const REQUESTS_DEFAULT = 30;
const REQUESTS_MAX = 10_000;

/** The variables of the platform mastodon. */
const mastodonVariables = {
  /** Origins of the servers whose public tag timelines are read. */
  MASTODON_SERVERS: variable.entries(
    originOf,
    "hosts such as mastodon.social, or their URLs without a path, with commas between, or none",
    [],
    "none",
  ),
  /** Requests to each server, by all processes together. */
  MASTODON_REQUESTS_PER_MINUTE: variable.integer(1, REQUESTS_MAX, REQUESTS_DEFAULT),
};

/** The origin of a server: people name its host, tests and proxies a URL. */
function originOf(entry: string): string | undefined {
  const text = /^https?:\/\//.test(entry) ? entry : `https://${entry}`;
  if (entry === "" || !URL.canParse(text)) return undefined;
  const { origin, href } = new URL(text);
  return href === `${origin}/` ? origin : undefined;
}

const MISSING =
  "Set MASTODON_SERVERS to servers of Mastodon whose public timelines may be read (docs/platforms/mastodon.md), or import postings.";

/** Such as `/users/ada/statuses/1`: the id that every server knows a posting by. */
const STATUS = /^\/(?:users\/[^/]+|ap\/users\/\d+)\/statuses\/\d+\/?$/;

/** Mastodon by public tag timelines of named servers: they need no account. */
export const MASTODON = definePlatform({
  name: "mastodon",
  variables: mastodonVariables,
  origins: ({ MASTODON_SERVERS: servers }) => servers,
  socialIdIn: ({ origin, pathname }) => (STATUS.test(pathname) ? origin + pathname.replace(/\/$/, "") : undefined),
  open: async (deps, { MASTODON_SERVERS: origins, MASTODON_REQUESTS_PER_MINUTE: requestsPerMinute }) => {
    if (origins.length === 0) return { missing: MISSING };
    const [{ MastodonServer }, { MastodonConnector }] = await Promise.all([
      import("./api.js"),
      import("./connector.js"),
    ]);
    const servers = origins.map((origin) => new MastodonServer(deps, { origin, requestsPerMinute }));
    return { connector: new MastodonConnector(servers, deps.now) };
  },
});
