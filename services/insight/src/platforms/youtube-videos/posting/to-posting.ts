import type { Json } from "@hourglass/runtime";
import { defined } from "../../schemas.js";
import { mentionsIn, tagsIn } from "../../text.js";
import type { PlaceDraft, PostingDraft } from "../../posting-draft.js";
import type { YoutubeVideo } from "../../youtube/asking/list-videos.js";

/** Subtags of languages; not those by which YouTube says that there is none. */
const LANGUAGE = /^(?!zxx|und|mul|mis)([a-z]{2,3})(?:-|$)/;
const BROADCASTS: ReadonlySet<string | undefined> = new Set(["live", "upcoming"]);

/** A video as a posting; what YouTube does not state is absent. `handles`: of channels, by id, without `@`. */
export function toPosting(video: YoutubeVideo, handles: ReadonlyMap<string, string>): PostingDraft {
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
    if (!tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
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
