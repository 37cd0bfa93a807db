import { definePlatform } from "../port/define-platform.js";
import { KEY_MISSING } from "../youtube/config.js";
import { openYoutube } from "../youtube/open-youtube.js";
import { videoIdIn } from "../youtube/video-id-in.js";
import { commentsVariables } from "./config.js";
import { createCommentsConnector } from "./connector.js";

/** Comments on videos of YouTube that a search finds. */
export const YOUTUBE_COMMENTS = definePlatform({
  name: "youtube-comments",
  variables: commentsVariables,
  origins: ({ YOUTUBE_BASE_URL: baseUrl }) => [new URL(baseUrl).origin],
  socialIdIn: (url) => (videoIdIn(url) === undefined ? undefined : (url.searchParams.get("lc") ?? undefined)),
  open: (deps, values) => {
    const youtube = openYoutube(deps, values);
    if (youtube === undefined) return Promise.resolve({ missing: KEY_MISSING });
    return Promise.resolve({ connector: createCommentsConnector({ ...youtube, kept: values.YOUTUBE_COMMENTS_KEEP }) });
  },
});
