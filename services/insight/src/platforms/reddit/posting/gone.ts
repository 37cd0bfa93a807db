import type { RedditThing } from "../asking/answer.js";

/** Who takes submissions away, as `removed_by_category` states it. */
const REMOVERS: ReadonlySet<string> = new Set([
  ...["deleted", "author", "moderator", "reddit", "automod_filtered", "anti_evil_ops", "community_ops"],
  ...["content_takedown", "copyright_takedown"],
]);
const PLACEHOLDERS: ReadonlySet<string> = new Set(["[deleted]", "[removed]"]);

/** What Reddit shows as the author of a thing whose author is gone. */
export const NOBODY = "[deleted]";

/** Whether a thing was deleted by its author or removed: Reddit then shows a placeholder instead of its text. */
export function isGone(thing: RedditThing): boolean {
  if (thing.kind === "t1") return PLACEHOLDERS.has(thing.data.body);
  const { selftext = "", removed_by_category: remover = "" } = thing.data;
  return PLACEHOLDERS.has(selftext) || REMOVERS.has(remover);
}
