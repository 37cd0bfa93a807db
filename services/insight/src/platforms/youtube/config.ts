import { variable } from "@hourglass/runtime";

const SEARCHES_MAX = 1_000_000;
const UNITS_MAX = 100_000_000;

/** What YouTube allows a project unless it grants more. */
const SEARCHES_DEFAULT = 100;
const UNITS_DEFAULT = 10_000;

/** The variables of both platforms of YouTube, which share a key and its quotas. */
export const youtubeVariables = {
  /** Key of a project of Google Cloud in which the YouTube Data API is enabled. */
  YOUTUBE_API_KEY: variable.secret(variable.text(512).optional()),
  YOUTUBE_BASE_URL: variable.url("https", "http").default("https://youtube.googleapis.com"),
  /** Searches on a day of California; each page of a search counts. */
  YOUTUBE_SEARCHES_PER_DAY: variable.integer(1, SEARCHES_MAX, SEARCHES_DEFAULT),
  /** Units of all other requests on a day of California; each is one. */
  YOUTUBE_UNITS_PER_DAY: variable.integer(1, UNITS_MAX, UNITS_DEFAULT),
};

export const KEY_MISSING =
  "Set YOUTUBE_API_KEY to an API key of a project of Google Cloud with the YouTube Data API v3 (docs/platforms.md), or import postings.";
