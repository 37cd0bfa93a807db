import * as z from "zod";
import { demoMark, maybe, maybeList, readEach, type ReadItems, statedTime } from "../../schemas.js";
import { type Asking, askYoutube, type YoutubeDeps } from "./ask-youtube.js";

const text = z.string();
/** YouTube writes counts as strings, and leaves out those that are hidden. */
const count = maybe(
  z
    .union([z.string().regex(/^\d{1,18}$/), z.int().nonnegative()])
    .transform((stated) => (Number.isSafeInteger(Number(stated)) ? Number(stated) : String(stated))),
);

const thumbnailSchema = z.object({ url: text, width: maybe(z.int()), height: maybe(z.int()) });

const videoSchema = z.object({
  id: text.regex(/^[\w-]{1,64}$/),
  snippet: z.object({
    publishedAt: statedTime,
    channelId: maybe(text),
    channelTitle: maybe(text),
    title: maybe(text),
    description: maybe(text),
    tags: maybeList(text),
    categoryId: maybe(text),
    liveBroadcastContent: maybe(text),
    defaultLanguage: maybe(text),
    defaultAudioLanguage: maybe(text),
    thumbnails: maybe(z.record(z.string(), maybe(thumbnailSchema))),
  }),
  contentDetails: maybe(z.object({ duration: maybe(text) })),
  status: maybe(z.object({ license: maybe(text) })),
  statistics: maybe(z.object({ viewCount: count, likeCount: count, commentCount: count })),
  recordingDetails: maybe(
    z.object({
      locationDescription: maybe(text),
      location: maybe(z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })),
      recordingDate: maybe(text),
    }),
  ),
  demo: demoMark,
});

/** A video as YouTube states it. */
export type YoutubeVideo = z.output<typeof videoSchema>;

/** All that a posting holds. */
export const VIDEO_PARTS = "snippet,statistics,contentDetails,recordingDetails,status";

/** Asks for at most 50 videos; those that were deleted are missing. Throws as `askYoutube`. */
export async function listVideos(
  deps: YoutubeDeps,
  ids: readonly string[],
  asking: Asking,
): Promise<ReadItems<YoutubeVideo>> {
  const parameters = { part: VIDEO_PARTS, id: ids.join(",") };
  const response = await askYoutube(deps, { method: "videos", parameters }, asking);
  return readEach(response?.items, readVideo);
}

/** Undefined for a video without id or time. */
export function readVideo(item: unknown): YoutubeVideo | undefined {
  return videoSchema.safeParse(item).data;
}
