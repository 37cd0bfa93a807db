import type { Json } from "@hourglass/runtime";
import { defined } from "../../schemas.js";
import { mentionsIn, tagsIn } from "../../text.js";
import type { AuthorDraft, PostingDraft } from "../../posting-draft.js";
import type { YoutubeVideo } from "../../youtube/asking/list-videos.js";
import type { KeptComments } from "../config.js";
import type { YoutubeComment } from "../asking/list-comments.js";

/** Where a comment stands. */
export interface Commented {
  readonly video: YoutubeVideo;
  /** Undefined for answers, which have none, and if YouTube does not say. */
  readonly replyCount: number | undefined;
  readonly kept: KeptComments;
}

/** A comment as a posting; what YouTube does not state is absent. */
export function toPosting(comment: YoutubeComment, { video, replyCount, kept }: Commented): PostingDraft {
  const { id, snippet } = comment;
  const text = snippet.textOriginal ?? snippet.textDisplay;
  const [tags, taggedUsers] = [tagsIn(text), mentionsIn(text)];
  const author = authorOf(comment, video);
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
    moreInfo: aboutOf(comment, video),
  };
}

/** Texts of the video that count as if the comment had them, so that all comments of a video that matches are kept. */
function matchTextOf({ snippet }: YoutubeVideo, kept: KeptComments): string | undefined {
  if (kept === "matching") return undefined;
  const texts = kept === "title" ? [snippet.title] : [snippet.title, snippet.description, ...(snippet.tags ?? [])];
  const text = texts.filter((each) => each !== undefined && each !== "").join("\n\n");
  return text === "" ? undefined : text;
}

function authorOf(comment: YoutubeComment, video: YoutubeVideo): AuthorDraft | undefined {
  const author = namedAuthorOf(comment);
  const isOwner = author?.id !== undefined && author.id === video.snippet.channelId;
  return author && { ...author, type: isOwner ? "owner" : "user" };
}

/** Of a deleted account YouTube states nothing. */
export function namedAuthorOf({ snippet }: YoutubeComment): AuthorDraft | undefined {
  const id = snippet.authorChannelId?.value;
  const name = snippet.authorDisplayName === "" ? undefined : snippet.authorDisplayName;
  const username = name !== undefined && /^@./.test(name) ? name.slice(1) : undefined;
  return id === undefined && name === undefined ? undefined : defined({ id, name, username });
}

function aboutOf({ snippet, demo }: YoutubeComment, video: YoutubeVideo): Record<string, Json> {
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
