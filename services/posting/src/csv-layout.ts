import { giveAtMost, giveOneOf } from "@hourglass/runtime";
import { POSTED_AT, POSTING_FIELDS } from "./columns.js";
import { DATE_FORMATS, dateFormatNamed, type DateFormat } from "./date-format.js";
import { object, string, strings, wrong, type ObjectReader, type Read } from "./json-reader.js";
import { MEDIA_URLS } from "./posting-json.js";

/** How the rows of a CSV file become postings. */
export interface CsvLayout {
  /** Name of a preset; without one, the map is all there is. */
  readonly preset?: string | undefined;
  /** Takes precedence over the preset. */
  readonly map?: ColumnMap | undefined;
}

/** Where the value of a key comes from. */
export type CellSource =
  /** The first of these columns that is not empty in the row. */
  | {
      readonly first: readonly string[];
      readonly format?: DateFormat;
      /** What a bare number counts in what a tool writes. */
      readonly bare?: DateFormat;
    }
  /** All of these columns that are not empty, with a blank line between them. */
  | { readonly join: readonly string[] }
  /** A text with columns in braces; empty if one of them is. */
  | { readonly template: string }
  /** The same for every row. */
  | { readonly value: string };

/** Sources by key of the posting object. */
export type ColumnMap = ReadonlyMap<string, CellSource>;

/** Maps only: an entry of `more_info`, such as `more_info.thread`. */
export const MORE_INFO_ENTRY = /^more_info\.([A-Za-z0-9_]{1,50})$/;

/** Keys that a map may name. */
export const KEYS: readonly string[] = [
  ...POSTING_FIELDS.filter(({ imported }) => imported).map(({ key }) => key),
  POSTED_AT,
  MEDIA_URLS,
];

/** Larger maps are not examined. */
const ENTRIES_MAX = 200;
const COLUMNS_MAX = 20;
const EXAMPLE = 'Give a column, such as {"text_of_post":"body"}, or a value, such as {"platform":{"value":"reddit"}}.';

/** Reads a column map: a JSON object of keys with their columns, constants, or dates with their format. */
export const readColumnMap: Read<ColumnMap> = (value, path, violations) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong(violations, path, EXAMPLE);
  const entries = Object.entries(value);
  if (entries.length > ENTRIES_MAX) return wrong(violations, path, `Give at most ${ENTRIES_MAX} keys.`);
  const map = new Map<string, CellSource>();
  for (const [key, entry] of entries) {
    const place = `${path}.${key}`;
    const isKnown = KEYS.includes(key) || MORE_INFO_ENTRY.test(key);
    const source = isKnown ? readSource(entry, place, violations) : wrong(violations, place, giveOneOf(KEYS, key));
    if (source !== null) map.set(key, source);
  }
  return map;
};

const readSource: Read<CellSource> = (value, path, violations) =>
  typeof value === "string" ? { first: [value] } : readDetailed(value, path, violations);

const columns = strings(COLUMNS_MAX);

const dateFormat: Read<DateFormat> = (value, path, violations) =>
  dateFormatNamed(value) ?? wrong(violations, path, giveOneOf(DATE_FORMATS, value));

const templateText: Read<string> = (value, path, violations) => {
  const text = string(value, path, violations);
  const isShort = text === null || columnsOf({ template: text }).length <= COLUMNS_MAX;
  return isShort ? text : wrong(violations, path, giveAtMost(COLUMNS_MAX, "column"));
};

/** The forms of a source, by the field that identifies each. */
const FORMS: readonly (readonly [name: string, read: (fields: ObjectReader) => CellSource])[] = [
  ["value", (fields) => ({ value: fields.required("value", string) ?? "" })],
  ["column", (fields) => ({ first: [fields.required("column", string) ?? ""], ...formatIn(fields) })],
  ["first", (fields) => ({ first: fields.required("first", columns) ?? [], ...formatIn(fields) })],
  ["join", (fields) => ({ join: fields.required("join", columns) ?? [] })],
  ["template", (fields) => ({ template: fields.required("template", templateText) ?? "" })],
];

const readDetailed: Read<CellSource> = (value, path, violations) => {
  const form = FORMS.find(([name]) => typeof value === "object" && value !== null && Object.hasOwn(value, name));
  return form === undefined ? wrong(violations, path, EXAMPLE) : object(form[1])(value, path, violations);
};

function formatIn(fields: ObjectReader): { format?: DateFormat } {
  const format = fields.optional("format", dateFormat);
  return format === undefined ? {} : { format };
}

const PLACEHOLDER = /\{([^{}]+)\}/g;

/** The columns that a source reads. */
export function columnsOf(source: CellSource): string[] {
  if ("first" in source) return [...source.first];
  if ("join" in source) return [...source.join];
  if ("template" in source) return [...source.template.matchAll(PLACEHOLDER)].map(([, column = ""]) => column);
  return [];
}

/** Fills the placeholders of a template; empty if a value is empty. */
export function fill(template: string, cell: (column: string) => string): string {
  const isWhole = columnsOf({ template }).every((column) => cell(column).trim() !== "");
  return isWhole ? template.replace(PLACEHOLDER, (_, column: string) => cell(column).trim()) : "";
}

/** The columns of one kind of file that a tool writes. */
export interface PresetLayout {
  /** Columns by which it is recognized: no other layout of the tool has them. */
  readonly signature: readonly string[];
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
  { signature = [], formulaSafe = false }: Partial<Omit<PresetLayout, "map">> = {},
): PresetLayout {
  return { signature, formulaSafe, map: new Map(Object.entries(sources)) };
}

/** The columns of our own exports. */
const OWN = layout(Object.fromEntries([...KEYS].map((key) => [key, first(key)])), { formulaSafe: true });

/**
 * CSV of 4CAT (https://github.com/digitalmethodsinitiative/4cat). The columns differ between its data sources; times are
 * UTC. The files do not tell the platform.
 */
const FOURCAT = layout({
  social_id: first("id"),
  social_url: first("link", "url", "tiktok_url", "post_url"),
  posted_at: { first: ["unix_timestamp", "timestamp", "created_at"], bare: "unix" },
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
  { signature: ["videoId", "videoTitle"] },
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
  { signature: ["isReply", "text"] },
);

/** Layouts by the name of the preset. */
export const PRESETS: ReadonlyMap<string, readonly PresetLayout[]> = new Map([
  ["hourglass", [OWN]],
  ["4cat", [FOURCAT]],
  ["youtube-data-tools", [YOUTUBE_VIDEOS, YOUTUBE_COMMENTS]],
]);

/** The preset of files that say nothing else. */
export const DEFAULT_PRESET = "hourglass";
