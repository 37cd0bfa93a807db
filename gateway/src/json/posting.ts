import type { Posting } from "@hourglass/proto/insight/v1/insight";
import { PLATFORM } from "./spelling.js";
import { toDate } from "./time.js";

const TOPICS = [0, 1, 2, 3, 4, 5, 6, 7];

/** The interface's names of counts, in its order; services use the same. */
export const COUNTS = [
  "share_count",
  "like_count",
  "angry_count",
  "laugh_count",
  "love_count",
  "sad_count",
  "support_count",
  "wow_count",
  "appreciation_count",
  "empathy_count",
  "interest_count",
  "maybe_count",
  "praise_count",
  "digg_count",
  "reaction_total_count",
  "video_play_count",
  "video_view_count",
  "view_count",
  "share_with_comment_count",
  "comment_count",
] as const;

/** The posting object of the interface: every field, null when the platform did not say. */
export function fromPosting(posting: Posting): unknown {
  const { place, author } = posting;
  return {
    insight_search_id: String(posting.insightSearchId),
    social_id: posting.socialId ?? null,
    social_url: posting.socialUrl ?? null,
    platform: PLATFORM.of(posting.platform),
    sentiments: posting.sentiments ?? null,
    intentions: posting.intentions ?? null,
    ...Object.fromEntries(TOPICS.map((index) => [`topic_${index + 1}`, posting.topics[index] ?? null])),
    visual_detection_analyses: orNull(posting.visualDetectionAnalyses),
    text_of_post: posting.textOfPost ?? null,
    terms: posting.terms,
    ...fromPostedAt(posting),
    text_post_lang: posting.textPostLang ?? null,
    text_post_type: posting.textPostType ?? null,
    text_post_tagged_users: orNull(posting.textPostTaggedUsers),
    text_post_tags: orNull(posting.textPostTags),
    geo_coordination: place?.geoCoordination ?? null,
    place_type: place?.placeType ?? null,
    place_full_name: place?.placeFullName ?? null,
    place_country_code: place?.placeCountryCode ?? null,
    place_country_name: place?.placeCountryName ?? null,
    place_id: place?.placeId ?? null,
    ...Object.fromEntries(COUNTS.map((name) => [name, posting.counts[name]?.toString() ?? null])),
    author_id: author?.authorId ?? null,
    author_username: author?.authorUsername ?? null,
    author_type: author?.authorType ?? null,
    author_name: author?.authorName ?? null,
    more_info: posting.moreInfoJson === "" ? null : (JSON.parse(posting.moreInfoJson) as unknown),
  };
}

/** `M/D/YYYY` and `HH:MM:SS`, in UTC. */
function fromPostedAt({ postedAt }: Posting): { post_date: string | null; post_time: string | null } {
  if (postedAt === undefined) return { post_date: null, post_time: null };
  const date = toDate(postedAt);
  return {
    post_date: `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`,
    post_time: date.toISOString().slice(11, 19),
  };
}

function orNull(values: readonly string[]): readonly string[] | null {
  return values.length === 0 ? null : values;
}
