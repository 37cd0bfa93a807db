import type { Json } from "@hourglass/runtime";
import type { PostingDraft } from "../posting-draft.js";
import { defined } from "../schemas.js";
import { namesIn } from "../text.js";
import type { RedditComment, RedditSubmission, RedditThing } from "./api.js";

const SITE = "https://www.reddit.com";
const SECOND_MS = 1000;
/** Hosts of Reddit's own pictures. */
const PICTURE_HOST = "i.redd.it";

/** A submission or a comment as a posting; what Reddit does not state is absent. */
export function toPosting(thing: RedditThing): PostingDraft {
  const text = textOf(thing);
  const { name, permalink, created_utc: seconds } = thing.data;
  const users = usersIn(text);
  const type = typeOf(thing);
  return {
    socialId: name,
    ...(permalink !== undefined && { url: `${SITE}${permalink.replace(/[?#].*$/s, "")}` }),
    postedAt: Math.round(seconds * SECOND_MS),
    text,
    ...(type !== undefined && { type }),
    ...(users.length > 0 && { taggedUsers: users }),
    ...authorOf(thing),
    counts: countsOf(thing),
    ...(thing.kind === "t3" && mediaOf(thing.data)),
    moreInfo: moreInfoOf(thing),
  };
}

/** The title of a link is all of its text. */
function textOf(thing: RedditThing): string {
  if (thing.kind === "t1") return thing.data.body;
  const { title, selftext = "" } = thing.data;
  return selftext === "" ? title : `${title}\n\n${selftext}`;
}

function typeOf(thing: RedditThing): string | undefined {
  if (thing.kind === "t1") return "comment";
  const { data } = thing;
  if (data.crosspost_parent !== undefined) return "crosspost";
  if (data.poll_data !== undefined) return "poll";
  if (data.is_gallery === true) return "gallery";
  if (data.is_video === true || data.post_hint?.endsWith(":video") === true) return "video";
  if (isPicture(data)) return "image";
  if (data.is_self === undefined) return undefined;
  return data.is_self ? "self" : "link";
}

function isPicture({ post_hint: hint, domain }: RedditSubmission): boolean {
  return hint === "image" || domain === PICTURE_HOST;
}

/** An account that was deleted is nobody. */
function authorOf({ data }: RedditThing): Pick<PostingDraft, "author"> {
  const { author: username, author_fullname: id, distinguished } = data;
  if (username === undefined && id === undefined) return {};
  if (username === NOBODY) return {};
  return { author: defined({ id, username, type: distinguished ?? "user" }) };
}

/** A score that Reddit hides yet is one that it does not state. */
function countsOf(thing: RedditThing): NonNullable<PostingDraft["counts"]> {
  const { score, ups, score_hidden: isHidden = false } = thing.data;
  const own = isHidden ? {} : { like_count: score, reaction_total_count: ups };
  if (thing.kind === "t1") return defined(own);
  return defined({ ...own, comment_count: thing.data.num_comments, share_count: thing.data.num_crossposts });
}

function mediaOf(submission: RedditSubmission): Pick<PostingDraft, "media"> {
  const { url, media, media_metadata: gallery = {} } = submission;
  const pictures = Object.values(gallery).flatMap((picture) => picture?.s?.u ?? picture?.s?.gif ?? []);
  const video = media?.reddit_video?.fallback_url;
  const files = [
    ...(isPicture(submission) && url !== undefined && URL.canParse(url) ? [url] : []),
    ...pictures,
    ...(video === undefined ? [] : [video]),
  ];
  return files.length > 0 ? { media: files } : {};
}

function moreInfoOf(thing: RedditThing): Record<string, Json> {
  const { subreddit, over_18, demo } = thing.data;
  const own = thing.kind === "t3" ? aboutSubmission(thing.data) : aboutComment(thing.data);
  return defined({ subreddit, over_18, ...own, demo });
}

function aboutSubmission({ domain, url, upvote_ratio, link_flair_text: flair }: RedditSubmission) {
  return { domain, url, upvote_ratio, flair };
}

function aboutComment({ link_id, parent_id }: RedditComment) {
  return { link_id, parent_id };
}

/** Who takes submissions away, as `removed_by_category` states it. */
const REMOVERS: ReadonlySet<string> = new Set([
  ...["deleted", "author", "moderator", "reddit", "automod_filtered", "anti_evil_ops", "community_ops"],
  ...["content_takedown", "copyright_takedown"],
]);
const PLACEHOLDERS: ReadonlySet<string> = new Set(["[deleted]", "[removed]"]);

/** What Reddit shows as the author of a thing whose author is gone. */
const NOBODY = "[deleted]";

/** Whether a thing was deleted by its author or removed: Reddit then shows a placeholder instead of its text. */
export function isGone(thing: RedditThing): boolean {
  if (thing.kind === "t1") return PLACEHOLDERS.has(thing.data.body);
  const { selftext = "", removed_by_category: remover = "" } = thing.data;
  return PLACEHOLDERS.has(selftext) || REMOVERS.has(remover);
}

const USER = /(?<![\p{L}\p{M}\p{N}_/.])\/?u\/([A-Za-z0-9_-]{3,20})(?![A-Za-z0-9_-])/giu;

/** The users that a text names as Reddit does, such as `u/ada_example`; one that differs in case only counts once. */
function usersIn(text: string): string[] {
  return namesIn(text, USER);
}
