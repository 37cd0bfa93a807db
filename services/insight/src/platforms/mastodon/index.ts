import { definePlatform } from "../connector.js";
import { mastodonVariables } from "./config.js";

const MISSING =
  "Set MASTODON_SERVERS to servers of Mastodon whose public timelines may be read (docs/platforms.md), or import postings.";

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
    const [{ MastodonServer }, { createMastodonConnector }] = await Promise.all([
      import("./asking/mastodon-server.js"),
      import("./connector.js"),
    ]);
    const servers = origins.map((origin) => new MastodonServer(deps, { origin, requestsPerMinute }));
    return { connector: createMastodonConnector({ servers, now: deps.now }) };
  },
});
