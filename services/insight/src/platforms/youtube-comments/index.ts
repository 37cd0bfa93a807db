import { definePlatform } from "../connector.js";
import { KEY_MISSING } from "../youtube/config.js";
import { videoIdIn } from "../youtube/video-id-in.js";
import { commentsVariables } from "./config.js";

/** Comments on videos of YouTube that a search finds. */
export const YOUTUBE_COMMENTS = definePlatform({
  name: "youtube-comments",
  variables: commentsVariables,
  origins: ({ YOUTUBE_BASE_URL: baseUrl }) => [new URL(baseUrl).origin],
  socialIdIn: (url) => (videoIdIn(url) === undefined ? undefined : (url.searchParams.get("lc") ?? undefined)),
  open: async (deps, values) => {
    if (values.YOUTUBE_API_KEY === undefined) return { missing: KEY_MISSING };
    const [{ openYoutube }, { createCommentsConnector }] = await Promise.all([
      import("../youtube/open-youtube.js"),
      import("./connector.js"),
    ]);
    const youtube = openYoutube(deps, values);
    return youtube === undefined
      ? { missing: KEY_MISSING }
      : { connector: createCommentsConnector({ ...youtube, kept: values.YOUTUBE_COMMENTS_KEEP }) };
  },
});
