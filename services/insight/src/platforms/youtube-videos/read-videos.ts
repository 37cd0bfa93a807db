import type { PostingDraft } from "../port/posting-draft.js";
import { type Asking, type YoutubeDeps } from "../youtube/asking/ask-youtube.js";
import { listVideos } from "../youtube/asking/list-videos.js";
import { listHandles } from "./list-handles.js";
import { toPosting } from "./posting/to-posting.js";

export interface ReadVideos {
  readonly postings: readonly PostingDraft[];
  readonly skipped: number;
  readonly requests: number;
}

/** What YouTube states about at most 50 videos and their channels. Throws as `askYoutube`. */
export async function readVideos(deps: YoutubeDeps, ids: readonly string[], asking: Asking): Promise<ReadVideos> {
  if (ids.length === 0) return { postings: [], skipped: 0, requests: 0 };
  const { items, skipped } = await listVideos(deps, ids, asking);
  const channels = [...new Set(items.flatMap(({ snippet }) => snippet.channelId ?? []))];
  const handles = channels.length === 0 ? undefined : await listHandles(deps, channels, asking);
  return {
    postings: items.map((video) => toPosting(video, handles ?? new Map())),
    skipped,
    requests: handles === undefined ? 1 : 2,
  };
}
