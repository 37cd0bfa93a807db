import { type Values, variable } from "@hourglass/runtime";
import * as z from "zod";
import { definePlatform } from "../connector.js";

const SEARCHES_MAX = 1_000_000;
const UNITS_MAX = 100_000_000;

/** What YouTube allows a project unless it grants more. */
const SEARCHES_DEFAULT = 100;
const UNITS_DEFAULT = 10_000;

/** The variables of both platforms of YouTube, which share a key and its quotas. */
const youtubeVariables = {
  /** Key of a project of Google Cloud in which the YouTube Data API is enabled. */
  YOUTUBE_API_KEY: variable.secret(variable.text(512).optional()),
  YOUTUBE_BASE_URL: variable.url("https", "http").default("https://youtube.googleapis.com"),
  /** Searches on a day of California; each page of a search counts. */
  YOUTUBE_SEARCHES_PER_DAY: variable.integer(1, SEARCHES_MAX, SEARCHES_DEFAULT),
  /** Units of all other requests on a day of California; each is one. */
  YOUTUBE_UNITS_PER_DAY: variable.integer(1, UNITS_MAX, UNITS_DEFAULT),
};

const KEY_MISSING =
  "Set YOUTUBE_API_KEY to an API key of a project of Google Cloud with the YouTube Data API v3 (docs/platforms/youtube.md), or import postings.";

/** Videos of YouTube, by its search. */
export const YOUTUBE_VIDEOS = definePlatform({
  name: "youtube-videos",
  variables: youtubeVariables,
  origins: ({ YOUTUBE_BASE_URL: baseUrl }) => [new URL(baseUrl).origin],
  socialIdIn: (url) => (url.searchParams.has("lc") ? undefined : videoIdIn(url)),
  open: async (deps, values) => {
    const settings = settingsOf(values);
    if (settings === undefined) return { missing: KEY_MISSING };
    const [{ YoutubeApi }, { VideosConnector }] = await Promise.all([import("./api.js"), import("./videos.js")]);
    return { connector: new VideosConnector(new YoutubeApi(deps, settings)) };
  },
});

/** Comments on videos of YouTube that a search finds. */
export const YOUTUBE_COMMENTS = definePlatform({
  name: "youtube-comments",
  variables: {
    ...youtubeVariables,
    /** Which comments of the videos that a search finds are kept, as `KeptComments`. */
    YOUTUBE_COMMENTS_KEEP: z.enum(["title", "all", "matching"], "title, all or matching").default("title"),
  },
  origins: ({ YOUTUBE_BASE_URL: baseUrl }) => [new URL(baseUrl).origin],
  socialIdIn: (url) => (videoIdIn(url) === undefined ? undefined : (url.searchParams.get("lc") ?? undefined)),
  open: async (deps, values) => {
    const settings = settingsOf(values);
    if (settings === undefined) return { missing: KEY_MISSING };
    const [{ YoutubeApi }, { CommentsConnector }] = await Promise.all([import("./api.js"), import("./comments.js")]);
    return { connector: new CommentsConnector(new YoutubeApi(deps, settings), values.YOUTUBE_COMMENTS_KEEP, deps.now) };
  },
});

/** How YouTube is asked; undefined without a key. */
function settingsOf(values: Values<typeof youtubeVariables>) {
  const { YOUTUBE_API_KEY: key, YOUTUBE_BASE_URL: baseUrl } = values;
  const { YOUTUBE_SEARCHES_PER_DAY: searchesPerDay, YOUTUBE_UNITS_PER_DAY: unitsPerDay } = values;
  return key === undefined ? undefined : { baseUrl, key, searchesPerDay, unitsPerDay };
}

const HOSTS = /^(?:www\.|m\.|music\.)?youtube\.com$/;
const VIDEO = /^\/(?:shorts|live|embed|v)\/([\w-]+)/;
const SHORT = /^\/([\w-]+)/;

/** The id of the video that an address of YouTube shows. */
function videoIdIn({ hostname, pathname, searchParams }: URL): string | undefined {
  if (hostname === "youtu.be") return SHORT.exec(pathname)?.[1];
  if (!HOSTS.test(hostname)) return undefined;
  return pathname === "/watch" ? (searchParams.get("v") ?? undefined) : VIDEO.exec(pathname)?.[1];
}
