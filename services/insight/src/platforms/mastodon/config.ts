import { variable } from "@hourglass/runtime";

/** Servers allow 300 requests in five minutes from one address. */
const REQUESTS_DEFAULT = 30;
const REQUESTS_MAX = 10_000;

/** The variables of the platform mastodon. */
export const mastodonVariables = {
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
