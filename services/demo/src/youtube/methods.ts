import type { Timeline } from "../timeline/timeline.js";
import type { UpstreamRequest } from "../upstream/exchange.js";
import type { DemoComment } from "./comment.js";
import { commentAnswer, threadAnswer } from "./comment-answers.js";
import { checkNames, idsOf, limitOf, tokenOf } from "./parameters.js";
import { RequestRefused } from "./problem.js";
import { readSearch } from "./search-request.js";
import { channelAnswer, listAnswer, searchResult, videoAnswer } from "./video-answers.js";
import type { DemoVideo } from "./video.js";

const COMMENTS_MAX = 100;

/** What the methods read. */
export interface Library {
  readonly videos: Timeline<DemoVideo>;
  readonly comments: Timeline<DemoComment>;
}

/** The body that answers a request. Throws RequestRefused. */
export function answerMethod(
  library: Library,
  { method, path, query }: UpstreamRequest,
  now: number,
): Record<string, unknown> {
  if (method !== "GET") throw new RequestRefused(404, "notFound");
  switch (path) {
    case "/youtube/v3/search":
      return search(library, query, now);
    case "/youtube/v3/videos":
      return listVideos(library, query);
    case "/youtube/v3/channels":
      return listChannels(library, query);
    case "/youtube/v3/commentThreads":
      return listThreads(library, query);
    case "/youtube/v3/comments":
      return query.has("id") ? listComments(library, query) : listReplies(library, query);
    default:
      throw new RequestRefused(404, "notFound");
  }
}

function search({ videos }: Library, query: URLSearchParams, now: number): Record<string, unknown> {
  const { finds, limit, token } = readSearch(query, now);
  const { items, nextToken } = videos.page({ wants: finds, limit, token });
  return listAnswer("searchListResponse", items.map(searchResult), nextToken);
}

function listVideos(library: Library, query: URLSearchParams): Record<string, unknown> {
  checkNames(query, ["id"]);
  const found = idsOf(query).flatMap((id) => videoWith(library, id) ?? []);
  const items = found.map((video) =>
    videoAnswer(video, commentsOf(library, ({ videoId }) => videoId === video.id).length),
  );
  return listAnswer("videoListResponse", items);
}

function listChannels({ videos }: Library, query: URLSearchParams): Record<string, unknown> {
  checkNames(query, ["id", "maxResults"]);
  const ids = new Set(idsOf(query));
  const limit = limitOf(query, 50);
  const { items } = videos.page({ wants: ({ channel }) => ids.has(channel.id), limit: Infinity, token: undefined });
  const channels = new Map(items.map(({ channel }) => [channel.id, channel]));
  return listAnswer("channelListResponse", [...channels.values()].slice(0, limit).map(channelAnswer));
}

function listThreads(library: Library, query: URLSearchParams): Record<string, unknown> {
  checkNames(query, ["videoId", "order", "maxResults", "pageToken", "textFormat"]);
  const id = query.get("videoId");
  if (id === null) throw new RequestRefused(400, "missingRequiredParameter", "No filter selected.");
  const video = videoWith(library, id);
  if (video === undefined) throw new RequestRefused(404, "videoNotFound", "The video could not be found.");
  if (!video.hasComments) throw new RequestRefused(403, "commentsDisabled", "The video has disabled comments.");
  const { items, nextToken } = library.comments.page({
    wants: (comment) => comment.videoId === id && comment.parentId === undefined,
    limit: limitOf(query, COMMENTS_MAX),
    token: tokenOf(query),
  });
  const threads = items.map((comment) => {
    const replies = commentsOf(library, ({ parentId }) => parentId === comment.id);
    return threadAnswer(comment, { video, replies });
  });
  return listAnswer("commentThreadListResponse", threads, nextToken);
}

/** Comments that were deleted, and those on videos that were, are missing. */
function listComments(library: Library, query: URLSearchParams): Record<string, unknown> {
  checkNames(query, ["id", "textFormat"]);
  const items = idsOf(query).flatMap((id) => {
    const comment = library.comments.get(id);
    const video = comment && videoWith(library, comment.videoId);
    return comment && video ? [commentAnswer(comment, video)] : [];
  });
  return listAnswer("commentListResponse", items);
}

function listReplies(library: Library, query: URLSearchParams): Record<string, unknown> {
  checkNames(query, ["parentId", "maxResults", "pageToken", "textFormat"]);
  const parent = library.comments.get(query.get("parentId") ?? "");
  const video = parent && videoWith(library, parent.videoId);
  if (parent === undefined || video === undefined) throw new RequestRefused(404, "commentNotFound");
  const { items, nextToken } = library.comments.page({
    wants: ({ parentId }) => parentId === parent.id,
    limit: limitOf(query, COMMENTS_MAX),
    token: tokenOf(query),
  });
  const answers = items.map((comment) => commentAnswer(comment, video));
  return listAnswer("commentListResponse", answers, nextToken);
}

function videoWith({ videos }: Library, id: string): DemoVideo | undefined {
  const video = videos.get(id);
  return video?.isDeleted === true ? undefined : video;
}

/** Newest first. */
function commentsOf({ comments }: Library, wants: (comment: DemoComment) => boolean): readonly DemoComment[] {
  return comments.page({ wants, limit: Infinity, token: undefined }).items;
}
