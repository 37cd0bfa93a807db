import * as z from "zod";
import { demoMark, maybe, maybeCount as count, maybeList as list, statedTime } from "../../schemas.js";

const text = z.string();

const entitiesSchema = z.object({
  hashtags: list(z.object({ tag: text })),
  mentions: list(z.object({ username: text })),
  urls: list(z.object({ expanded_url: maybe(text), url: text })),
});

const referencesSchema = list(z.object({ type: text, id: text }));

const postSchema = z.object({
  id: text.regex(/^\d{1,20}$/),
  text,
  created_at: statedTime,
  author_id: maybe(text),
  lang: maybe(text),
  conversation_id: maybe(text),
  possibly_sensitive: maybe(z.boolean()),
  public_metrics: maybe(
    z.object({
      retweet_count: count,
      repost_count: count,
      reply_count: count,
      like_count: count,
      quote_count: count,
      bookmark_count: count,
      impression_count: count,
    }),
  ),
  entities: maybe(entitiesSchema),
  note_tweet: maybe(z.object({ text, entities: maybe(entitiesSchema) })),
  note_post: maybe(z.object({ text, entities: maybe(entitiesSchema) })),
  geo: maybe(
    z.object({
      place_id: maybe(text),
      coordinates: maybe(z.object({ coordinates: z.tuple([z.number(), z.number()]) })),
    }),
  ),
  referenced_tweets: referencesSchema,
  referenced_posts: referencesSchema,
  edit_history_tweet_ids: list(text),
  edit_history_post_ids: list(text),
  attachments: maybe(z.object({ media_keys: list(text) })),
  demo: demoMark,
});

const userSchema = z.object({ id: text, username: maybe(text), name: maybe(text), verified_type: maybe(text) });

const placeSchema = z.object({
  id: text,
  full_name: maybe(text),
  country: maybe(text),
  country_code: maybe(text),
  place_type: maybe(text),
  geo: maybe(z.object({ bbox: maybe(z.array(z.number())) })),
});

const mediaSchema = z.object({
  media_key: text,
  type: maybe(text),
  url: maybe(text),
  preview_image_url: maybe(text),
  duration_ms: maybe(z.number()),
});

const includesSchema = maybe(
  z.object({ users: list(userSchema), places: list(placeSchema), media: list(mediaSchema) }),
);

const lookUpSchema = z.object({
  data: z.unknown().optional(),
  includes: includesSchema,
  errors: list(z.object({ resource_id: maybe(text), value: maybe(text), type: maybe(text) })),
});

const pageSchema = z.object({
  data: z.unknown().optional(),
  includes: includesSchema,
  meta: z.object({ next_token: maybe(text.min(1)), newest_id: maybe(text.regex(/^\d{1,20}$/)) }),
});

/** A post as X states it. */
export type XPost = z.output<typeof postSchema>;
export type XUser = z.output<typeof userSchema>;
export type XPlace = z.output<typeof placeSchema>;
export type XMedia = z.output<typeof mediaSchema>;
export type XPage = z.output<typeof pageSchema>;

/** Undefined if the answer is no page of a search. */
export function readSearchPage(body: unknown): XPage | undefined {
  return pageSchema.safeParse(body).data;
}

/** Undefined if the answer says nothing about posts that were asked for by their ids. */
export function readLookUp(body: unknown): z.output<typeof lookUpSchema> | undefined {
  const read = lookUpSchema.safeParse(body).data;
  return read?.data === undefined && read?.errors === undefined ? undefined : read;
}

/** Undefined for a post without id, text or time. */
export function readPost(item: unknown): XPost | undefined {
  return postSchema.safeParse(item).data;
}

/** An error in the form of RFC 7807, as X sends it. */
const problemSchema = z.object({ type: maybe(text), title: maybe(text), detail: maybe(text) });

/** What X says about a request that it refuses. */
export function readProblem(body: unknown): z.output<typeof problemSchema> {
  return problemSchema.safeParse(body).data ?? {};
}
