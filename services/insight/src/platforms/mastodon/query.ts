import type { Hashtag, HashtagPlan } from "../hashtags.js";
import type { Source } from "../sources.js";
import type { MastodonServer } from "./api.js";

/** A tag timeline of a server. */
export interface TagTimeline extends Source {
  readonly server: MastodonServer;
  readonly hashtag: Hashtag;
}

/** The timelines of a search. */
export function timelinesOf({ hashtags }: HashtagPlan, servers: readonly MastodonServer[]): TagTimeline[] {
  return servers.flatMap((server) =>
    hashtags.map((hashtag) => ({
      ...{ key: `${server.host} ${hashtag.name}`, label: nameOf(server, hashtag) },
      // The operator named the server, even if a search named the hashtag.
      ...{ server, hashtag, isOfServer: true },
    })),
  );
}

/** A timeline as people read it. */
export function nameOf({ host }: MastodonServer, { name }: Hashtag): string {
  return `#${name} on ${host}`;
}

/** Sentences about what of a query Mastodon is not asked for. */
export function warningsOf({ hashtags, unsent, left }: HashtagPlan): string[] {
  return [
    ...unsent.map((term) => `Mastodon has no hashtag for ${term}, so nothing is collected for it.`),
    ...(left.length === 0
      ? []
      : [`A search may use ${hashtags.length} hashtags. Mastodon is not asked for #${left.join(", #")}.`]),
  ];
}
