import { POSTING_FIELDS } from "../fields.js";
import type { CellSource, ColumnMap } from "./column-map.js";

/** The columns of a tool's files. */
export interface Layout {
  /** Columns that only this layout has, if the tool writes several. */
  readonly marks: readonly string[];
  readonly map: ColumnMap;
  /** Cells that a spreadsheet could take for formulas begin with an apostrophe, which is not part of the value. */
  readonly formulaSafe: boolean;
}

const first = (...columns: readonly string[]): CellSource => ({ first: columns });
const join = (...columns: readonly string[]): CellSource => ({ join: columns });
const value = (text: string): CellSource => ({ value: text });
const template = (text: string): CellSource => ({ template: text });

function layout(
  sources: Readonly<Record<string, CellSource>>,
  { marks = [], formulaSafe = false }: Partial<Omit<Layout, "map">> = {},
): Layout {
  return { marks, formulaSafe, map: new Map(Object.entries(sources)) };
}

/** The columns of our own exports. */
const OWN = layout(
  Object.fromEntries(POSTING_FIELDS.filter(({ imported }) => imported).map(({ key }) => [key, first(key)])),
  { formulaSafe: true },
);

/**
 * CSV of 4CAT (https://github.com/digitalmethodsinitiative/4cat). The columns differ between its data sources; times are
 * UTC. The files do not tell the platform.
 */
const FOURCAT = layout({
  social_id: first("id"),
  social_url: first("link", "url", "tiktok_url", "post_url"),
  posted_at: first("unix_timestamp", "timestamp", "created_at"),
  text_of_post: join("subject", "body"),
  text_post_lang: first("language_guess"),
  text_post_type: first("media_type", "type"),
  text_post_tagged_users: first("mentions", "usertags", "author_mentions"),
  text_post_tags: first("hashtags", "tags"),
  geo_coordination: first("long_lat"),
  place_full_name: first("place_name", "location_name"),
  place_id: first("location_id"),
  share_count: first("retweet_count", "repost_count", "reposts", "shares"),
  like_count: first("like_count", "likes", "num_likes", "score"),
  comment_count: first("reply_count", "replies", "comments", "num_comments"),
  share_with_comment_count: first("quote_count", "quotes"),
  view_count: first("impression_count", "views"),
  video_play_count: first("play_count", "plays"),
  author_id: first("author_id"),
  author_username: first("author"),
  author_name: first("author_fullname", "author_full", "author_name", "author_display_name"),
  media_urls: first("media_urls", "image_urls", "images", "image_url"),
  "more_info.thread_id": first("thread_id"),
});

/** Video lists of YouTube Data Tools (https://github.com/bernorieder/YouTube-Data-Tools). */
const YOUTUBE_VIDEOS = layout(
  {
    platform: value("youtube-videos"),
    social_id: first("videoId"),
    social_url: template("https://www.youtube.com/watch?v={videoId}"),
    posted_at: first("publishedAt"),
    text_of_post: join("videoTitle", "videoDescription"),
    text_post_lang: first("defaultLanguage", "defaultLAudioLanguage"),
    text_post_type: value("video"),
    text_post_tags: first("tags"),
    geo_coordination: template("{longitude},{latitude}"),
    place_full_name: first("locationDescription"),
    like_count: first("likeCount"),
    comment_count: first("commentCount"),
    view_count: first("viewCount"),
    video_view_count: first("viewCount"),
    author_id: first("channelId"),
    author_type: value("channel"),
    author_name: first("channelTitle"),
    "more_info.duration": first("duration"),
    "more_info.category": first("videoCategoryLabel"),
  },
  { marks: ["videoId", "videoTitle"] },
);

/** Comments of YouTube Data Tools; their times are those of the clock of its server, and taken as UTC. */
const YOUTUBE_COMMENTS = layout(
  {
    platform: value("youtube-comments"),
    social_id: first("id"),
    posted_at: first("publishedAt"),
    text_of_post: first("text"),
    like_count: first("likeCount"),
    comment_count: first("replyCount"),
    author_id: first("authorChannelId"),
    author_type: value("user"),
    author_name: first("authorName"),
    "more_info.parentId": first("isReplyToId", "isReplyTo"),
  },
  { marks: ["isReply", "text"] },
);

/** Layouts by the name of the preset. */
export const PRESETS: ReadonlyMap<string, readonly Layout[]> = new Map([
  ["hourglass", [OWN]],
  ["4cat", [FOURCAT]],
  ["youtube-data-tools", [YOUTUBE_VIDEOS, YOUTUBE_COMMENTS]],
]);

/** The preset of files that say nothing else. */
export const DEFAULT_PRESET = "hourglass";
