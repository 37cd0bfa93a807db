import type { Json } from "@hourglass/runtime";
import type { SearchedTexts } from "../query/matcher.js";

/** Names of the counts of a posting, as in the `Counts` message. */
export type CountName =
  | "share_count"
  | "like_count"
  | "angry_count"
  | "laugh_count"
  | "love_count"
  | "sad_count"
  | "support_count"
  | "wow_count"
  | "appreciation_count"
  | "empathy_count"
  | "interest_count"
  | "maybe_count"
  | "praise_count"
  | "digg_count"
  | "reaction_total_count"
  | "video_play_count"
  | "video_view_count"
  | "view_count"
  | "share_with_comment_count"
  | "comment_count";

/** A whole number; its digits, where a number cannot hold it. */
export type Count = number | string;

export function toCount(value: bigint): Count {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** A place, as far as the platform states it. */
export interface PlaceDraft {
  /** Longitude and latitude, such as `-1.5491,53.8008`. */
  geo?: string;
  type?: string;
  fullName?: string;
  countryCode?: string;
  countryName?: string;
  id?: string;
}

/** An author, as far as the platform states them. */
export interface AuthorDraft {
  id?: string;
  username?: string;
  type?: string;
  name?: string;
}

/**
 * A posting as a platform or an import states it, before it is stored and analyzed. What the source does not state is
 * absent, never a made-up value. Must be JSON.
 */
export interface PostingDraft {
  /** Id on the platform; without it, the posting is recognized by its URL, else by author, time and text. */
  socialId?: string;
  /** Where `socialId` is unique, if not on the whole platform, such as the host of a feed with its own ids. */
  socialIdScope?: string;
  url?: string;
  /** Milliseconds since the epoch. */
  postedAt: number;
  text?: string;
  /** More text that the query is matched against, such as the body of an article. It is not kept or shown. */
  matchText?: string;
  /** ISO 639-1, or what the platform states. */
  language?: string;
  /** Such as `post`, `reply`, `repost` or `article`. */
  type?: string;
  taggedUsers?: readonly string[];
  tags?: readonly string[];
  place?: PlaceDraft;
  author?: AuthorDraft;
  counts?: Partial<Record<CountName, Count>>;
  /** URLs of pictures, videos and sound. */
  media?: readonly string[];
  moreInfo?: Record<string, Json>;
}

/** What of a posting the query language searches: also what its pictures show, where their author describes them. */
export function searchedTextsOf(draft: PostingDraft): SearchedTexts {
  const { text = "", tags = [], taggedUsers = [], moreInfo, matchText } = draft;
  const described = moreInfo?.["media_descriptions"];
  const others = [moreInfo?.["title"], matchText, ...(Array.isArray(described) ? described : [])];
  const titles = others.filter((title) => typeof title === "string");
  return { text, tags, mentions: taggedUsers, ...(titles.length > 0 && { title: titles.join("\n\n") }) };
}
