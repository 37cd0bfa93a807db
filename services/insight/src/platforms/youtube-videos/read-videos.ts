import { attempt } from "../http-json.js";
import type { PostingDraft } from "../posting-draft.js";
import { type Asking, type YoutubeDeps } from "../youtube/asking/ask-youtube.js";
import { listVideos, type YoutubeVideo } from "../youtube/asking/list-videos.js";
import { listHandles } from "./list-handles.js";
import { toPosting } from "./posting/to-posting.js";

export interface ReadVideos {
  readonly postings: readonly PostingDraft[];
  readonly skipped: number;
  readonly requests: number;
  readonly warnings: readonly string[];
}

/**
 * What YouTube states about at most 50 videos and their channels. A failure to learn about the channels is a warning:
 * videos do without. Throws as `askYoutube`.
 */
export async function readVideos(deps: YoutubeDeps, ids: readonly string[], asking: Asking): Promise<ReadVideos> {
  if (ids.length === 0) return { postings: [], skipped: 0, requests: 0, warnings: [] };
  const { items, skipped } = await listVideos(deps, ids, asking);
  const channels = [...new Set(items.flatMap(({ snippet }) => snippet.channelId ?? []))];
  if (channels.length === 0) return read(items, { skipped, requests: 1 });
  const { value: handles, failure } = await attempt(() => listHandles(deps, channels, asking), asking.signal);
  if (failure === undefined) return read(items, { handles, skipped, requests: 2 });
  const warning = `Some videos lack the handles of their channels, which could not be read. ${failure.message}`;
  return read(items, { skipped, requests: 1 + failure.requests, warnings: [warning] });
}

interface About extends Omit<ReadVideos, "postings" | "warnings"> {
  readonly handles?: ReadonlyMap<string, string>;
  readonly warnings?: readonly string[];
}

function read(videos: readonly YoutubeVideo[], { handles = new Map(), warnings = [], ...counts }: About): ReadVideos {
  return { postings: videos.map((video) => toPosting(video, handles)), warnings, ...counts };
}
