import * as z from "zod";
import { demoMark, maybe, maybeCount, maybeList } from "../../schemas.js";
import { graphId, graphTime, paging } from "../../meta/graph/values.js";

const text = z.string();

const mediaSchema = z.object({
  id: graphId,
  timestamp: graphTime,
  caption: maybe(text),
  media_type: maybe(text),
  media_product_type: maybe(text),
  media_url: maybe(text),
  permalink: maybe(text),
  like_count: maybeCount,
  comments_count: maybeCount,
  view_count: maybeCount,
  children: maybe(
    z.object({ data: maybeList(z.object({ id: maybe(graphId), media_type: maybe(text), media_url: maybe(text) })) }),
  ),
  demo: demoMark,
});

const listSchema = z.object({ data: z.array(z.unknown()), paging });

const accountSchema = z.object({
  business_discovery: z.object({
    id: maybe(graphId),
    username: maybe(text),
    name: maybe(text),
    // An account without media has no list.
    media: listSchema.optional(),
  }),
});

const hashtagsSchema = z.object({ data: z.array(z.object({ id: graphId })) });

/** A picture, video or album as Instagram states it. */
export type InstagramMedia = z.output<typeof mediaSchema>;
export type MediaList = z.output<typeof listSchema>;
export type Account = z.output<typeof accountSchema>["business_discovery"];

/** Undefined for media without id or time. */
export function readMedia(item: unknown): InstagramMedia | undefined {
  return mediaSchema.safeParse(item).data;
}

/** Undefined if the answer is no page of media. */
export function readMediaList(body: unknown): MediaList | undefined {
  return listSchema.safeParse(body).data;
}

/** Undefined if the answer is no account. */
export function readAccount(body: unknown): Account | undefined {
  return accountSchema.safeParse(body).data?.business_discovery;
}

/** The id of a hashtag; undefined if the answer has none. */
export function readHashtagId(body: unknown): string | undefined {
  return hashtagsSchema.safeParse(body).data?.data[0]?.id;
}
