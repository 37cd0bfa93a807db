import type { DemoThing } from "./thing.js";

export interface ListingOptions {
  readonly after: string | null;
  /** Whether the request had `raw_json=1`: without it, Reddit escapes texts for HTML. */
  readonly isRaw: boolean;
}

/** A page of things. */
export function listingAnswer(things: readonly DemoThing[], { after, isRaw }: ListingOptions): Record<string, unknown> {
  const children = things.map((thing) => ({ kind: thing.kind, data: thingAnswer(thing, isRaw) }));
  return { kind: "Listing", data: { after, before: null, dist: children.length, modhash: "", children } };
}

function thingAnswer(thing: DemoThing, isRaw: boolean): Record<string, unknown> {
  const shown = (text: string): string => (isRaw ? text : escaped(text));
  const own = thing.kind === "t3" ? submissionAnswer(thing, shown) : commentAnswer(thing, shown);
  return { ...commonAnswer(thing), ...own, demo: true, ...thing.extra };
}

function commonAnswer(thing: DemoThing): Record<string, unknown> {
  const { id, at, subreddit, author, score, editedAt, removedBy } = thing;
  const isGone = removedBy !== undefined;
  return {
    id: id.slice("t3_".length),
    name: id,
    subreddit,
    subreddit_id: "t5_demo",
    subreddit_name_prefixed: `r/${subreddit}`,
    author: isGone ? "[deleted]" : author.username,
    ...(!isGone && { author_fullname: `t2_${Number(author.id).toString(36)}` }),
    distinguished: null,
    created_utc: Math.floor(at / 1000),
    edited: editedAt === undefined ? false : Math.floor(editedAt / 1000),
    score,
    ups: score,
    score_hidden: false,
    over_18: false,
    permalink: permalinkOf(thing),
    total_awards_received: 0,
  };
}

type Shown = (text: string) => string;

function submissionAnswer(thing: DemoThing, shown: Shown): Record<string, unknown> {
  const { title, text, score, removedBy, subreddit } = thing;
  return {
    title: shown(title),
    selftext: goneTextOf(thing) ?? shown(text),
    selftext_html: null,
    url: `https://www.reddit.com${permalinkOf(thing)}`,
    domain: `self.${subreddit}`,
    is_self: true,
    is_video: false,
    post_hint: "self",
    upvote_ratio: 0.93,
    num_comments: Math.floor(score / 6),
    num_crossposts: Math.floor(score / 50),
    link_flair_text: "Invented",
    removed_by_category: removedBy ?? null,
  };
}

function commentAnswer(thing: DemoThing, shown: Shown): Record<string, unknown> {
  const { linkId, title, text, extra } = thing;
  return {
    body: goneTextOf(thing) ?? shown(text),
    body_html: null,
    link_id: linkId,
    parent_id: extra["parent_id"] ?? linkId,
    link_title: shown(title),
    replies: "",
  };
}

/** What stands where the text was. */
function goneTextOf({ removedBy }: DemoThing): string | undefined {
  if (removedBy === undefined) return undefined;
  return removedBy === "deleted" ? "[deleted]" : "[removed]";
}

function permalinkOf({ id, kind, subreddit, linkId }: DemoThing): string {
  const own = id.slice("t3_".length);
  const link = kind === "t3" ? own : (linkId ?? "").slice("t3_".length);
  return `/r/${subreddit}/comments/${link}/invented/${kind === "t3" ? "" : `${own}/`}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
