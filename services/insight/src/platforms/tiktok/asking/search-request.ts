import type { TiktokQuery } from "../dialect.js";
import type { Position } from "../position.js";

const SEARCH_PATH = "/v2/research/video/query/";
const PAGE_MAX = 100;
const FIELDS = [
  ...["id", "video_description", "create_time", "region_code", "share_count", "view_count", "like_count"],
  ...["comment_count", "favorites_count", "music_id", "hashtag_names", "username", "effect_ids", "playlist_id"],
  ...["voice_to_text", "is_stem_verified", "video_duration", "video_mention_list", "video_label"],
];

/** The URL of a search, which names the fields of its videos. */
export function searchUrl(baseUrl: string): string {
  const url = new URL(SEARCH_PATH, baseUrl);
  url.search = `fields=${FIELDS.join(",")}`;
  return url.href;
}

/** What is sent for one page. */
export function searchBody({ and, or, not }: TiktokQuery, { from, to, cursor, searchId }: Position): object {
  return {
    query: {
      ...(and.length > 0 && { and }),
      ...(or.length > 0 && { or }),
      ...(not.length > 0 && { not }),
    },
    start_date: from,
    end_date: to,
    max_count: PAGE_MAX,
    cursor,
    ...(searchId !== null && { search_id: searchId }),
    is_random: false,
  };
}
