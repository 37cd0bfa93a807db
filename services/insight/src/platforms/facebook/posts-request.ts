import type { GraphParameters } from "../meta/graph/graph.js";

/** Posts of one request. With their comments, more of them are often refused as too much. */
const POSTS_MAX = 25;
/** Newest comments of a post. */
const COMMENTS_MAX = 25;

const COMMENT_FIELDS = [
  ...["id", "created_time", "message", "from", "like_count", "comment_count", "permalink_url", "message_tags"],
  ...["parent{id}", "attachment{type,title,url,media}"],
];
const ATTACHMENT_FIELDS = ["media_type", "type", "title", "description", "url", "unshimmed_url", "media"];
const REACTIONS = ["like", "love", "wow", "haha", "sad", "angry", "care"] as const;
const OWN_FIELDS = [
  ...["id", "message", "created_time", "updated_time", "permalink_url", "status_type", "from{id,name,username}"],
  ...["message_tags", `attachments{${ATTACHMENT_FIELDS.join(",")},subattachments{media,title,description}}`],
  ...["shares", "place"],
  "reactions.summary(total_count).limit(0)",
  ...REACTIONS.map((name) => `reactions.type(${name.toUpperCase()}).limit(0).summary(total_count).as(${name})`),
];

const POST_FIELDS = [
  ...OWN_FIELDS,
  `comments.filter(stream).order(reverse_chronological).summary(true).limit(${COMMENTS_MAX}){${COMMENT_FIELDS.join(",")}}`,
];

/** The parameters of a request for posts by their ids, of which the comments are only counted. */
export function postsByIdRequest(ids: readonly string[]): GraphParameters {
  const fields = [...OWN_FIELDS, "comments.filter(stream).summary(true).limit(0)"];
  return { ids: ids.join(","), fields: fields.join(",") };
}

/** The parameters of a request for comments by their ids. */
export function commentsByIdRequest(ids: readonly string[]): GraphParameters {
  return { ids: ids.join(","), fields: COMMENT_FIELDS.join(",") };
}

/** The parameters of a request for posts of a page; `from` in milliseconds since the epoch. */
export function postsRequest({ from, after }: { from: number; after: string | null }): GraphParameters {
  return {
    fields: POST_FIELDS.join(","),
    limit: String(POSTS_MAX),
    since: String(Math.max(0, Math.floor(from / 1000))),
    after: after ?? undefined,
  };
}
