import type { Json } from "@hourglass/runtime";
import type { PostingDraft } from "../posting-draft.js";
import { defined } from "../schemas.js";
import { mentionsIn } from "../text.js";
import type { TiktokVideo } from "./api.js";

const SECOND_MS = 1000;

/** A video of TikTok as a posting; what TikTok does not state is absent. */
export function toPosting(video: TiktokVideo, { isSpoken }: { readonly isSpoken: boolean }): PostingDraft {
  const { id, username, video_description: description, voice_to_text: speech, region_code: region } = video;
  const text = [description, isSpoken ? speech : undefined].filter((part) => part !== undefined).join("\n\n");
  return {
    socialId: id,
    ...(username !== undefined && { url: `https://www.tiktok.com/@${encodeURIComponent(username)}/video/${id}` }),
    postedAt: video.create_time * SECOND_MS,
    ...(text !== "" && { text }),
    type: "video",
    ...namesOf(video),
    ...(region !== undefined && { place: { countryCode: region } }),
    ...(username !== undefined && { author: { username } }),
    counts: countsOf(video),
    moreInfo: moreInfoOf(video),
  };
}

/** Names within the description stand for a list that TikTok leaves out. */
function namesOf(video: TiktokVideo): Pick<PostingDraft, "tags" | "taggedUsers"> {
  const {
    hashtag_names: names,
    hashtag_info_list: infos,
    video_mention_list: mentions,
    video_description: text,
  } = video;
  const tags = names ?? infos?.map(({ hashtag_name: name }) => name);
  const taggedUsers = mentions?.map((name) => name.replace(/^@/, "")) ?? mentionsIn(text);
  const areStated = mentions !== undefined || taggedUsers.length > 0;
  return { ...(tags && { tags }), ...(areStated && { taggedUsers }) };
}

/** A like is a digg in TikTok's own words, and a view a play. */
function countsOf(video: TiktokVideo): NonNullable<PostingDraft["counts"]> {
  return defined({
    digg_count: video.like_count,
    like_count: video.like_count,
    share_count: video.share_count,
    comment_count: video.comment_count,
    view_count: video.view_count,
    video_play_count: video.view_count,
  });
}

function moreInfoOf(video: TiktokVideo): Record<string, Json> {
  return defined({
    duration: video.video_duration,
    music_id: video.music_id,
    effects: video.effect_ids,
    playlist_id: video.playlist_id,
    favorites_count: video.favorites_count ?? video.favourites_count,
    is_stem_verified: video.is_stem_verified,
    video_label: video.video_label,
    // Not where the video was made.
    place_country_code: video.region_code === undefined ? undefined : "country in which the account is registered",
    demo: video.demo,
  });
}
