import type { DemoComment } from "./comment.js";
import type { DemoVideo } from "./video.js";
import { secondsOf } from "./video-answers.js";

/** Answers that stand in a thread; the others are asked for by `parentId`. */
const REPLIES_MAX = 5;

/** A thread as commentThreads.list states it. `replies`: newest first. */
export function threadAnswer(
  comment: DemoComment,
  { video, replies }: { video: DemoVideo; replies: readonly DemoComment[] },
): Record<string, unknown> {
  const shown = replies.slice(0, REPLIES_MAX);
  return {
    kind: "youtube#commentThread",
    etag: `demo-thread-${comment.id}`,
    id: comment.id,
    snippet: {
      channelId: video.channel.id,
      videoId: video.id,
      topLevelComment: commentAnswer(comment, video),
      canReply: true,
      totalReplyCount: replies.length,
      isPublic: true,
    },
    ...(shown.length > 0 && { replies: { comments: shown.map((reply) => commentAnswer(reply, video)) } }),
  };
}

/** A comment as comments.list states it. */
export function commentAnswer(comment: DemoComment, video: DemoVideo): Record<string, unknown> {
  const { id, parentId, text, author, likes, at, editedAt, extra } = comment;
  return {
    kind: "youtube#comment",
    etag: `demo-${id}`,
    id,
    snippet: {
      ...(parentId === undefined ? { channelId: video.channel.id, videoId: video.id } : { parentId }),
      textDisplay: text,
      textOriginal: text,
      authorDisplayName: author?.handle ?? "",
      ...(author && {
        authorProfileImageUrl: `https://pictures.example.org/${author.id}.jpg`,
        authorChannelUrl: `https://www.youtube.com/channel/${author.id}`,
        authorChannelId: { value: author.id },
      }),
      canRate: true,
      viewerRating: "none",
      likeCount: likes,
      publishedAt: secondsOf(at),
      updatedAt: secondsOf(editedAt),
    },
    demo: true,
    ...extra,
  };
}
