import * as z from "zod";
import { type GraphError, graphId, graphTime, paging } from "../graph.js";
import { demoMark, maybe, maybeCount, maybeList } from "../schemas.js";
import { SourceError } from "../sources.js";

const DAY_MS = 24 * 60 * 60_000;
const HASHTAG_LIMIT = 2_207_034;
const HASHTAG_UNKNOWN = 2_207_024;

/** What codes mean on Instagram, where it differs from the Graph API. */
export function ownError({ code, subcode }: GraphError, detail: string, now: number): SourceError | undefined {
  if (code === 18 || subcode === HASHTAG_LIMIT) {
    const retryAt = now + DAY_MS;
    const message =
      `Instagram has counted its 30 different hashtags of seven days (${code}), also those of other programs that use the account: ` +
      `lower INSTAGRAM_HASHTAGS_PER_WEEK. It will be retried at ${new Date(retryAt).toISOString()}.${detail}`;
    return new SourceError("budget", message, { retryAt, requests: 1 });
  }
  if (code === 24 || subcode === HASHTAG_UNKNOWN) {
    return new SourceError("permanent", `Instagram has no such hashtag, or blocks it (${code}).${detail}`);
  }
  if (code === 110) {
    const message = `Instagram does not know it, or it is no professional account (${code}).${detail}`;
    return new SourceError("permanent", message);
  }
  return undefined;
}

const FIELDS = ["id", "caption", "media_type", "media_url", "permalink", "timestamp", "like_count", "comments_count"];

/** The fields of media that are known by a hashtag. */
export const HASHTAG_FIELDS = [...FIELDS, "children{media_type,media_url}"].join(",");

/** The fields of media of an account, which states more. */
export const ACCOUNT_FIELDS = [...FIELDS, "media_product_type", "view_count", "children{id,media_type,media_url}"].join(
  ",",
);

/** Media of one request. */
export const MEDIA_MAX = 50;

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
type MediaList = z.output<typeof listSchema>;
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
