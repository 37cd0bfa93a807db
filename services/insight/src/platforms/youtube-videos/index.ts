import { definePlatform } from "../port/define-platform.js";
import { KEY_MISSING, youtubeVariables } from "../youtube/config.js";
import { openYoutube } from "../youtube/open-youtube.js";
import { videoIdIn } from "../youtube/video-id-in.js";
import { createVideosConnector } from "./connector.js";

/** Videos of YouTube, by its search. */
export const YOUTUBE_VIDEOS = definePlatform({
  name: "youtube-videos",
  variables: youtubeVariables,
  origins: ({ YOUTUBE_BASE_URL: baseUrl }) => [new URL(baseUrl).origin],
  socialIdIn: (url) => (url.searchParams.has("lc") ? undefined : videoIdIn(url)),
  open: (deps, values) => {
    const youtube = openYoutube(deps, values);
    return Promise.resolve(
      youtube === undefined ? { missing: KEY_MISSING } : { connector: createVideosConnector(youtube) },
    );
  },
});
