import { variable } from "@hourglass/runtime";
import * as z from "zod";
import { operatorFeedUrl } from "./feeds/query.js";
import type { Pauses } from "./feeds/refresh.js";
import type { GdeltStream } from "./gdelt/api.js";
import type { NewsapiSettings } from "./newsapi/api.js";

/** Feeds of public broadcasters, agencies and international organizations that have stood for years. */
const DEFAULT_FEEDS = [
  "https://feeds.bbci.co.uk/news/world/rss.xml",
  "https://www.theguardian.com/world/rss",
  "https://rss.dw.com/rdf/rss-en-all",
  "https://feeds.npr.org/1001/rss.xml",
  "https://news.un.org/feed/subscribe/en/news/all/rss.xml",
  "https://www.france24.com/en/rss",
  "https://www.aljazeera.com/xml/rss/all.xml",
  "https://www.nasa.gov/feed/",
];

const HOURS_MAX = 7 * 24;
const HOURS_DEFAULT = 24;
const REQUESTS_MAX = 1_000_000;
/** What NewsAPI allows the free plan of developers. */
const REQUESTS_DEFAULT = 100;

/** Whose articles are read from GDELT's files. */
const GDELT_STREAMS: Readonly<Record<"off" | "english" | "all", readonly GdeltStream[]>> = {
  off: [],
  english: ["english"],
  all: ["english", "translated"],
};

/** The variables of the platform news. */
export const newsVariables = {
  /** Feeds that every search follows; `none` leaves it to the searches. */
  NEWS_FEEDS: variable.entries(
    operatorFeedUrl,
    "URLs of feeds that begin with https://, http:// or file://, with commas between, or none",
    DEFAULT_FEEDS,
    "none",
  ),
  /** Which bulk files of GDELT are read for all searches. */
  NEWS_GDELT: z.enum(["off", "english", "all"], "off, english or all").default("off"),
  /** How long files of GDELT are kept, and how far back a new search looks in them. */
  NEWS_GDELT_HOURS: variable.integer(1, HOURS_MAX, HOURS_DEFAULT),
  /** GDELT's bucket, which is also reached without encryption as http://data.gdeltproject.org. */
  NEWS_GDELT_BASE_URL: variable.url("https", "http").default("https://storage.googleapis.com/data.gdeltproject.org"),
  NEWSAPI_KEY: variable.secret(variable.text(512).optional()),
  NEWSAPI_BASE_URL: variable.url("https", "http").default("https://newsapi.org"),
  /** Requests in a day of UTC, by all searches together. */
  NEWSAPI_REQUESTS_PER_DAY: variable.integer(1, REQUESTS_MAX, REQUESTS_DEFAULT),
};

/** How the operator has GDELT's files read. */
export interface GdeltSettings {
  readonly streams: readonly GdeltStream[];
  readonly keepMs: number;
  readonly baseUrl: string;
}

/** What the platform news takes from the configuration. */
export interface NewsConfig {
  readonly newsFeeds: readonly string[];
  readonly collectInterval: Pauses;
  /** Default: GDELT is not read. */
  readonly gdelt?: GdeltSettings | undefined;
  /** Default: NewsAPI is not asked. */
  readonly newsapi?: NewsapiSettings | undefined;
}

/** The values of the variables, as their schemas give them. */
type NewsValues = z.output<z.ZodObject<typeof newsVariables>>;

export function newsConfig(values: NewsValues, collectInterval: Pauses): NewsConfig {
  const { NEWS_FEEDS: newsFeeds, NEWS_GDELT: gdelt, NEWSAPI_KEY: key } = values;
  const streams = GDELT_STREAMS[gdelt];
  const keepMs = values.NEWS_GDELT_HOURS * 60 * 60_000;
  return {
    newsFeeds,
    collectInterval,
    ...(streams.length === 0 ? {} : { gdelt: { streams, keepMs, baseUrl: values.NEWS_GDELT_BASE_URL } }),
    ...(key === undefined
      ? {}
      : { newsapi: { key, baseUrl: values.NEWSAPI_BASE_URL, requestsPerDay: values.NEWSAPI_REQUESTS_PER_DAY } }),
  };
}
