import type { Json } from "@hourglass/runtime";
import { foldName } from "@hourglass/runtime/text";
import type { AuthorDraft, PlaceDraft, PostingDraft } from "../posting-draft.js";
import { defined } from "../schemas.js";
import { mentionsIn, tagsIn } from "../text.js";
import type { YoutubeComment, YoutubeVideo } from "./api.js";

/** Subtags of languages; not those by which YouTube says that there is none. */
const LANGUAGE = /^(?!zxx|und|mul|mis)([a-z]{2,3})(?:-|$)/;
const BROADCASTS: ReadonlySet<string | undefined> = new Set(["live", "upcoming"]);

/** A video as a posting; what YouTube does not state is absent. `handles`: of channels, by id, without `@`. */
export function videoToPosting(video: YoutubeVideo, handles: ReadonlyMap<string, string>): PostingDraft {
  const { id, snippet } = video;
  const place = placeOf(video);
  const picture = pictureOf(video);
  return {
    socialId: id,
    url: `https://www.youtube.com/watch?v=${id}`,
    postedAt: snippet.publishedAt,
    ...textOf(video),
    ...languageOf(video),
    type: BROADCASTS.has(snippet.liveBroadcastContent) ? (snippet.liveBroadcastContent ?? "video") : "video",
    ...namesOf(video),
    ...(place !== undefined && { place }),
    ...authorOf(video, handles),
    counts: countsOf(video),
    ...(picture !== undefined && { media: [picture] }),
    moreInfo: aboutOf(video),
  };
}

function textOf({ snippet: { title, description } }: YoutubeVideo): Pick<PostingDraft, "text"> {
  const text = [title, description].filter((part) => part !== undefined && part.trim() !== "").join("\n\n");
  return text === "" ? {} : { text };
}

function languageOf({ snippet }: YoutubeVideo): Pick<PostingDraft, "language"> {
  const stated = snippet.defaultLanguage ?? snippet.defaultAudioLanguage;
  const language = LANGUAGE.exec(stated?.toLowerCase() ?? "")?.[1];
  return language === undefined ? {} : { language };
}

/** The tags of a video are not shown; those of its texts are. */
function namesOf(video: YoutubeVideo): Pick<PostingDraft, "tags" | "taggedUsers"> {
  const { text } = textOf(video);
  const tags = new Map<string, string>();
  for (const tag of [...(video.snippet.tags ?? []), ...tagsIn(text)]) {
    if (!tags.has(foldName(tag))) tags.set(foldName(tag), tag);
  }
  const taggedUsers = mentionsIn(text);
  return {
    ...(tags.size > 0 && { tags: [...tags.values()] }),
    ...(taggedUsers.length > 0 && { taggedUsers }),
  };
}

function placeOf({ recordingDetails }: YoutubeVideo): PlaceDraft | undefined {
  const { location, locationDescription } = recordingDetails ?? {};
  const place = defined({
    geo: location && `${location.longitude},${location.latitude}`,
    fullName: locationDescription === "" ? undefined : locationDescription,
  });
  return Object.keys(place).length === 0 ? undefined : place;
}

function authorOf(
  { snippet: { channelId, channelTitle } }: YoutubeVideo,
  handles: ReadonlyMap<string, string>,
): Pick<PostingDraft, "author"> {
  if (channelId === undefined && channelTitle === undefined) return {};
  const username = channelId === undefined ? undefined : handles.get(channelId);
  return { author: { type: "channel", ...defined({ id: channelId, name: channelTitle, username }) } };
}

function countsOf({ statistics }: YoutubeVideo): NonNullable<PostingDraft["counts"]> {
  const { viewCount, likeCount, commentCount } = statistics ?? {};
  const counts = {
    view_count: viewCount,
    video_view_count: viewCount,
    like_count: likeCount,
    comment_count: commentCount,
  };
  return defined(counts);
}

/** The largest. */
function pictureOf(video: YoutubeVideo): string | undefined {
  const largest = thumbnailsOf(video).reduce<[string, Thumbnail] | undefined>(
    (best, each) => (best === undefined || (each[1].width ?? 0) > (best[1].width ?? 0) ? each : best),
    undefined,
  );
  return largest?.[1].url;
}

type Thumbnail = NonNullable<NonNullable<YoutubeVideo["snippet"]["thumbnails"]>[string]>;

function thumbnailsOf({ snippet: { thumbnails } }: YoutubeVideo): [string, Thumbnail][] {
  return Object.entries(thumbnails ?? {}).flatMap(([name, thumbnail]) => (thumbnail ? [[name, thumbnail]] : []));
}

function aboutOf(video: YoutubeVideo): Record<string, Json> {
  const { contentDetails, snippet, status, recordingDetails } = video;
  const thumbnails = thumbnailsOf(video).map(([name, { url }]) => [name, url] as const);
  return defined({
    duration: contentDetails?.duration,
    category: snippet.categoryId,
    thumbnails: thumbnails.length === 0 ? undefined : Object.fromEntries(thumbnails),
    licence: status?.license,
    recording_date: recordingDetails?.recordingDate,
    demo: video.demo,
  });
}

/**
 * Which comments of the videos that a search finds are kept. `title`: those that match, and all of a video whose title
 * matches; `all`: also all of a video whose description or tags match; `matching`: those that match by themselves.
 */
export type KeptComments = "title" | "all" | "matching";

/** Where a comment stands. */
export interface Commented {
  readonly video: YoutubeVideo;
  /** Undefined for answers, which have none, and if YouTube does not say. */
  readonly replyCount: number | undefined;
  readonly kept: KeptComments;
}

/** A comment as a posting; what YouTube does not state is absent. */
export function commentToPosting(comment: YoutubeComment, { video, replyCount, kept }: Commented): PostingDraft {
  const { id, snippet } = comment;
  const text = snippet.textOriginal ?? snippet.textDisplay;
  const [tags, taggedUsers] = [tagsIn(text), mentionsIn(text)];
  const author = authorOfComment(comment, video);
  const matchText = matchTextOf(video, kept);
  return {
    socialId: id,
    url: `https://www.youtube.com/watch?v=${video.id}&lc=${id}`,
    postedAt: snippet.publishedAt,
    ...(text !== undefined && { text }),
    ...(matchText !== undefined && { matchText }),
    type: snippet.parentId === undefined ? "comment" : "reply",
    ...(tags.length > 0 && { tags }),
    ...(taggedUsers.length > 0 && { taggedUsers }),
    ...(author && { author }),
    counts: defined({ like_count: snippet.likeCount, comment_count: replyCount }),
    moreInfo: aboutComment(comment, video),
  };
}

/** Texts of the video that count as if the comment had them, so that all comments of a video that matches are kept. */
function matchTextOf({ snippet }: YoutubeVideo, kept: KeptComments): string | undefined {
  if (kept === "matching") return undefined;
  const texts = kept === "title" ? [snippet.title] : [snippet.title, snippet.description, ...(snippet.tags ?? [])];
  const text = texts.filter((each) => each !== undefined && each !== "").join("\n\n");
  return text === "" ? undefined : text;
}

function authorOfComment(comment: YoutubeComment, video: YoutubeVideo): AuthorDraft | undefined {
  const author = namedAuthorOf(comment);
  const isOwner = author?.id !== undefined && author.id === video.snippet.channelId;
  return author && { ...author, type: isOwner ? "owner" : "user" };
}

/** Of a deleted account YouTube states nothing. */
function namedAuthorOf({ snippet }: YoutubeComment): AuthorDraft | undefined {
  const id = snippet.authorChannelId?.value;
  const name = snippet.authorDisplayName === "" ? undefined : snippet.authorDisplayName;
  const username = name !== undefined && /^@./.test(name) ? name.slice(1) : undefined;
  return id === undefined && name === undefined ? undefined : defined({ id, name, username });
}

function aboutComment({ snippet, demo }: YoutubeComment, video: YoutubeVideo): Record<string, Json> {
  const { location, locationDescription } = video.recordingDetails ?? {};
  return defined({
    video_id: video.id,
    video_title: video.snippet.title,
    video_geo: location && `${location.longitude},${location.latitude}`,
    video_place: locationDescription === "" ? undefined : locationDescription,
    parent_id: snippet.parentId,
    updated_at: snippet.updatedAt,
    demo,
  });
}

/** A comment that was looked up: what may have changed. What the video says of it stays as it is stored. */
export function refreshedComment(comment: YoutubeComment): PostingDraft {
  const { id, snippet, demo } = comment;
  const text = snippet.textOriginal ?? snippet.textDisplay;
  const [tags, taggedUsers] = [tagsIn(text), mentionsIn(text)];
  const author = namedAuthorOf(comment);
  return {
    socialId: id,
    postedAt: snippet.publishedAt,
    ...(text !== undefined && { text }),
    ...(tags.length > 0 && { tags }),
    ...(taggedUsers.length > 0 && { taggedUsers }),
    ...(author && { author }),
    counts: defined({ like_count: snippet.likeCount }),
    moreInfo: defined({ updated_at: snippet.updatedAt, demo }),
  };
}
