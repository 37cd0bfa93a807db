import type { RequestedField } from "./fields.js";
import { graphTime } from "./graph-time.js";
import type { DemoComment, DemoPagePost } from "./page-post.js";

const REACTIONS = ["like", "love", "wow", "haha", "sad", "angry", "care"] as const;

/** A post as the Graph API states it: the fields that the request names. */
export function postAnswer(post: DemoPagePost, fields: readonly RequestedField[]): Record<string, unknown> {
  const known = knownFields(post);
  const answer = fields.map((field) => [aliasOf(field), valueOf(post, field, known)] as const);
  return { ...Object.fromEntries(answer.filter(([, value]) => value !== undefined)), demo: true, ...post.extra };
}

function aliasOf({ name, modifiers }: RequestedField): string {
  return modifiers["as"] ?? name;
}

function valueOf(post: DemoPagePost, field: RequestedField, known: Readonly<Record<string, unknown>>): unknown {
  if (field.name === "reactions") return reactionsOf(post, field);
  if (field.name === "comments") return commentsOf(post, field);
  return known[field.name];
}

function knownFields({ id, at, updatedAt, page, text, shares }: DemoPagePost): Record<string, unknown> {
  const [pageId, number] = id.split("_");
  return {
    id,
    created_time: graphTime(at),
    updated_time: graphTime(updatedAt),
    permalink_url: `https://www.facebook.com/${pageId}/posts/${number}/`,
    status_type: "mobile_status_update",
    from: { id: page.id, name: page.name, username: page.username },
    message: text === "" ? undefined : text,
    shares: shares === 0 ? undefined : { count: shares },
  };
}

function reactionsOf({ likes }: DemoPagePost, { modifiers }: RequestedField): Record<string, unknown> {
  const kind = REACTIONS.find((each) => each.toUpperCase() === modifiers["type"]);
  const count = kind === undefined || kind === "like" ? likes : Math.floor(likes / 10);
  return { data: [], summary: { total_count: count, viewer_reaction: "NONE" } };
}

function commentsOf({ comments }: DemoPagePost, { modifiers }: RequestedField): Record<string, unknown> {
  const data = comments.slice(0, Number(modifiers["limit"] ?? 25)).map(commentAnswer);
  const summary = { order: "reverse_chronological", total_count: comments.length, can_comment: false };
  const isCut = data.length < comments.length;
  const paging = { cursors: { before: "b", after: "a" }, ...(isCut && { next: "https://graph.facebook.com/…" }) };
  return { data, ...(data.length > 0 && { paging }), summary };
}

/** A comment as the Graph API states it. */
export function commentAnswer({ id, at, text, author, likes, extra }: DemoComment): Record<string, unknown> {
  return {
    id,
    created_time: graphTime(at),
    message: text,
    from: { id: author.id, name: author.name },
    like_count: likes,
    comment_count: 0,
    permalink_url: `https://www.facebook.com/permalink/?comment_id=${id}`,
    demo: true,
    ...extra,
  };
}
