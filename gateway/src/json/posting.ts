import type { Posting } from "@hourglass/proto/insight/v1/insight";
import { PLATFORM } from "./spelling.js";
import { toDate } from "./time.js";

const TOPICS = [0, 1, 2, 3, 4, 5, 6, 7];

/** Names of the counts in the interface, in its order; services use the same names. */
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

/** The posting object of the interface: every field, null if the platform did not provide it. */
export function fromPosting(posting: Posting): unknown {
  const { place, author } = posting;
  return {
    insight_search_id: String(posting.insightSearchId),
    social_id: orNull(posting.socialId),
    social_url: orNull(posting.socialUrl),
    platform: PLATFORM.of(posting.platform),
    sentiments: orNull(posting.sentiments),
    intentions: orNull(posting.intentions),
    ...Object.fromEntries(TOPICS.map((index) => [`topic_${index + 1}`, orNull(posting.topics[index])])),
    visual_detection_analyses: filled(posting.visualDetectionAnalyses),
    text_of_post: orNull(posting.textOfPost),
    terms: posting.terms,
    ...fromPostedAt(posting),
    text_post_lang: orNull(posting.textPostLang),
    text_post_type: orNull(posting.textPostType),
    text_post_tagged_users: filled(posting.textPostTaggedUsers),
    text_post_tags: filled(posting.textPostTags),
    geo_coordination: orNull(place?.geoCoordination),
    place_type: orNull(place?.placeType),
    place_full_name: orNull(place?.placeFullName),
    place_country_code: orNull(place?.placeCountryCode),
    place_country_name: orNull(place?.placeCountryName),
    place_id: orNull(place?.placeId),
    ...Object.fromEntries(COUNTS.map((name) => [name, orNull(posting.counts[name]?.toString())])),
    author_id: orNull(author?.authorId),
    author_username: orNull(author?.authorUsername),
    author_type: orNull(author?.authorType),
    author_name: orNull(author?.authorName),
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

function orNull(value: string | undefined): string | null {
  return value ?? null;
}

function filled(values: readonly string[]): readonly string[] | null {
  return values.length === 0 ? null : values;
}
