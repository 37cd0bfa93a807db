import * as z from "zod";
import { graphId, type GraphParameters, graphTime, paging } from "../graph.js";
import { count, demoMark, maybe, maybeCount, maybeList } from "../schemas.js";

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

const text = z.string();
const total = maybe(z.object({ summary: z.object({ total_count: count }) }));
const mediaSchema = maybe(z.object({ image: maybe(z.object({ src: text })) }));

const fromSchema = maybe(z.object({ id: maybe(graphId), name: maybe(text), username: maybe(text) }));
const tagsSchema = maybeList(z.object({ id: maybe(graphId), name: text }));

const attachmentSchema = z.object({
  media_type: maybe(text),
  type: maybe(text),
  title: maybe(text),
  description: maybe(text),
  url: maybe(text),
  unshimmed_url: maybe(text),
  media: mediaSchema,
  subattachments: maybe(z.object({ data: maybeList(z.object({ media: mediaSchema })) })),
});

const commentSchema = z.object({
  id: graphId,
  created_time: graphTime,
  message: maybe(text),
  from: fromSchema,
  like_count: maybeCount,
  comment_count: maybeCount,
  permalink_url: maybe(text),
  message_tags: tagsSchema,
  parent: maybe(z.object({ id: maybe(graphId) })),
  attachment: maybe(z.object({ title: maybe(text), url: maybe(text), media: mediaSchema })),
  demo: demoMark,
});

const postSchema = z.object({
  id: graphId,
  created_time: graphTime,
  updated_time: maybe(graphTime),
  message: maybe(text),
  permalink_url: maybe(text),
  status_type: maybe(text),
  from: fromSchema,
  message_tags: tagsSchema,
  attachments: maybe(z.object({ data: maybeList(attachmentSchema) })),
  /** A post that nobody has shared has none; null: it is not as documented. */
  shares: z.object({ count }).optional().nullable().catch(null),
  place: maybe(
    z.object({
      id: maybe(graphId),
      name: maybe(text),
      location: maybe(z.object({ country: maybe(text), latitude: maybe(z.number()), longitude: maybe(z.number()) })),
    }),
  ),
  comments: maybe(
    z.object({
      data: maybe(z.array(z.unknown())),
      summary: maybe(z.object({ total_count: maybeCount })),
    }),
  ),
  reactions: total,
  like: total,
  love: total,
  wow: total,
  haha: total,
  sad: total,
  angry: total,
  care: total,
  demo: demoMark,
});

const pageSchema = z.object({ data: z.array(z.unknown()), paging });

/** A post of a page as Facebook states it. */
export type PagePost = z.output<typeof postSchema>;
export type PageComment = z.output<typeof commentSchema>;
export type PostAttachment = z.output<typeof attachmentSchema>;
type PostsPage = z.output<typeof pageSchema>;

/** Undefined if the answer is no object, such as one of items by their ids; PHP writes an empty one as a list. */
export function readItemsById(body: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  if (Array.isArray(body)) return body.length === 0 ? new Map() : undefined;
  return new Map(Object.entries(body));
}

/** Undefined if the answer is no page of posts. */
export function readPostsPage(body: unknown): PostsPage | undefined {
  return pageSchema.safeParse(body).data;
}

/** Undefined for a post without id or time. */
export function readPagePost(item: unknown): PagePost | undefined {
  return postSchema.safeParse(item).data;
}

/** Undefined for a comment without id or time. */
export function readComment(item: unknown): PageComment | undefined {
  return commentSchema.safeParse(item).data;
}
