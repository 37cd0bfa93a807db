import * as z from "zod";
import { demoMark, maybe, maybeCount as count, maybeList as list, maybeNumber } from "../../schemas.js";

const text = z.string();
const words = maybe(text.min(1));
/** Ids of 64 bits arrive as strings (`parseLongNumbers`), shorter ones as numbers. */
const id = z.union([text.regex(/^\d{1,20}$/), z.int().nonnegative().transform(String)]);

const videoSchema = z
  .object({
    id: maybe(id),
    /** The name of `id` in older answers. */
    video_id: maybe(id),
    create_time: z.int().nonnegative().max(8_640_000_000_000),
    video_description: words,
    voice_to_text: words,
    username: words,
    region_code: words,
    hashtag_names: list(text),
    hashtag_info_list: list(z.object({ hashtag_name: text })),
    video_mention_list: list(text),
    like_count: count,
    comment_count: count,
    share_count: count,
    view_count: count,
    favorites_count: count,
    favourites_count: count,
    music_id: maybe(id),
    effect_ids: list(id),
    playlist_id: maybe(id),
    video_duration: maybe(z.number().nonnegative()),
    is_stem_verified: maybe(z.boolean()),
    video_label: maybe(z.json()),
    demo: demoMark,
  })
  .transform((video, context) => {
    const own = video.id ?? video.video_id;
    if (own !== undefined) return { ...video, id: own };
    context.addIssue("a video has an id");
    return z.NEVER;
  });

const pageSchema = z.object({
  data: z.object({
    videos: z.unknown().optional(),
    has_more: maybe(z.boolean()),
    cursor: maybeNumber,
    search_id: maybe(id.or(text.min(1))),
  }),
});

const faultSchema = z.object({ error: z.object({ code: maybe(text), message: words }) });

const grantSchema = z.object({
  access_token: words,
  expires_in: z.number().positive().catch(0),
  error_description: words,
});

/** A video as TikTok states it. */
export type TiktokVideo = z.output<typeof videoSchema>;

/** Undefined for a video without id or time. */
export function readVideo(item: unknown): TiktokVideo | undefined {
  return videoSchema.safeParse(item).data;
}

/** A page of a search. */
export type TiktokPage = z.output<typeof pageSchema>["data"];

/** Undefined if the answer is no page of a search. */
export function readSearchPage(body: unknown): TiktokPage | undefined {
  return pageSchema.safeParse(body).data?.data;
}

/** What TikTok says about a request that it refuses; the code is `ok` for others. */
export function readFault(body: unknown): {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
} {
  return faultSchema.safeParse(body).data?.error ?? {};
}

/** What the answer to a request for a token says; without `access_token` it is a refusal. */
export function readGrant(body: unknown): z.output<typeof grantSchema> {
  return grantSchema.safeParse(body).data ?? { expires_in: 0 };
}
