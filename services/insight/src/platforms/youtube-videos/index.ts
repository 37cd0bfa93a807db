import { definePlatform } from "../connector.js";
import { KEY_MISSING, youtubeVariables } from "../youtube/config.js";
import { videoIdIn } from "../youtube/video-id-in.js";

/** Videos of YouTube, by its search. */
export const YOUTUBE_VIDEOS = definePlatform({
  name: "youtube-videos",
  variables: youtubeVariables,
  origins: ({ YOUTUBE_BASE_URL: baseUrl }) => [new URL(baseUrl).origin],
  socialIdIn: (url) => (url.searchParams.has("lc") ? undefined : videoIdIn(url)),
  open: async (deps, values) => {
    if (values.YOUTUBE_API_KEY === undefined) return { missing: KEY_MISSING };
    const [{ openYoutube }, { createVideosConnector }] = await Promise.all([
      import("../youtube/open-youtube.js"),
      import("./connector.js"),
    ]);
    const youtube = openYoutube(deps, values);
    return youtube === undefined ? { missing: KEY_MISSING } : { connector: createVideosConnector(youtube) };
  },
});
