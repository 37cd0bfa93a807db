import * as z from "zod";
import { youtubeVariables } from "../youtube/config.js";

/**
 * Which comments of the videos that a search finds are kept. `title`: those that match, and all of a video whose title
 * matches; `all`: also all of a video whose description or tags match; `matching`: those that match by themselves.
 */
const KEPT = ["title", "all", "matching"] as const;

export type KeptComments = (typeof KEPT)[number];

/** The variables of the platform youtube-comments. */
export const commentsVariables = {
  ...youtubeVariables,
  YOUTUBE_COMMENTS_KEEP: z.enum(KEPT, "title, all or matching").default("title"),
};
