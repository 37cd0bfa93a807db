import { ParamsRefused } from "./problem.js";
import { readTiktokQuery, recordOf } from "./query.js";
import type { DemoVideo } from "./video.js";

const DAY_MS = 24 * 60 * 60_000;
const DAYS_MAX = 30;
const COUNT_MAX = 100;
const KNOWN_FIELDS = new Set([
  ...["id", "video_description", "create_time", "region_code", "share_count", "view_count", "like_count"],
  ...["comment_count", "favorites_count", "music_id", "hashtag_names", "hashtag_info_list", "username", "effect_ids"],
  ...["playlist_id", "voice_to_text", "is_stem_verified", "video_duration", "video_mention_list", "video_label"],
]);
const KNOWN = new Set(["query", "start_date", "end_date", "max_count", "cursor", "search_id", "is_random"]);

export interface TiktokSearch {
  readonly matches: (video: DemoVideo) => boolean;
  readonly limit: number;
  readonly cursor: number;
  readonly searchId: string | undefined;
  readonly fields: ReadonlySet<string>;
  /** What must be the same for all pages of a search. */
  readonly key: string;
}

/** Reads a request for a page of videos. Throws ParamsRefused. */
export function readSearch(fields: string, text: string): TiktokSearch {
  const body = recordOf(parsed(text), "The body");
  const unknown = Object.keys(body).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw new ParamsRefused(`${unknown} is not known`);
  const { query, start_date: start, end_date: end, max_count: limit = 20, cursor = 0, search_id: searchId } = body;
  const [from, to] = [timeOf(start, "start_date"), timeOf(end, "end_date") + DAY_MS];
  if (to <= from) throw new ParamsRefused("end_date is before start_date");
  if (to - DAY_MS - from > DAYS_MAX * DAY_MS) {
    throw new ParamsRefused("The end date must be no more than 30 days after the start date");
  }
  const isMatch = readTiktokQuery(query);
  return {
    matches: (video) => video.at >= from && video.at < to && isMatch(video),
    limit: countOf(limit, "max_count", 1, COUNT_MAX),
    cursor: countOf(cursor, "cursor", 0, Number.MAX_SAFE_INTEGER),
    searchId: typeof searchId === "string" ? searchId : undefined,
    fields: fieldsOf(fields),
    key: JSON.stringify([query, start, end]),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ParamsRefused("The body is no JSON");
  }
}

function fieldsOf(text: string): ReadonlySet<string> {
  const names = text.split(",");
  const unknown = names.find((name) => !KNOWN_FIELDS.has(name));
  if (unknown !== undefined) throw new ParamsRefused(`The field ${unknown} is not known`);
  return new Set(names);
}

function timeOf(value: unknown, name: string): number {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(String(value)) ?? [];
  const time = Date.parse(`${year}-${month}-${day}`);
  if (Number.isNaN(time)) throw new ParamsRefused(`${name} must be YYYYMMDD`);
  return time;
}

function countOf(value: unknown, name: string, min: number, max: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ParamsRefused(`${name} must be from ${min} to ${max}`);
}
