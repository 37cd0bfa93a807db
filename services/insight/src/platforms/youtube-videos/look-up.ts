import type { Rechecks } from "../connector.js";
import type { YoutubeDeps } from "../youtube/asking/ask-youtube.js";
import { readVideo, VIDEO_PARTS } from "../youtube/asking/list-videos.js";
import { IDS_MAX, lookUpIds, TERM_MS } from "../youtube/asking/look-up-ids.js";
import { toPosting } from "./posting/to-posting.js";

const QUESTION = { method: "videos", parameters: { part: VIDEO_PARTS }, id: /^[\w-]{1,64}$/, read: readVideo } as const;

/** Stored videos are asked for by their ids, 50 for a unit. Handles of channels stay as they are. */
export function createRechecks(deps: YoutubeDeps): Rechecks {
  return {
    idsMax: IDS_MAX,
    termMs: () => TERM_MS,
    lookUp: async (request) => {
      const { items, gone } = await lookUpIds(deps, QUESTION, request);
      return { found: items.map((video) => toPosting(video, new Map())), gone };
    },
  };
}
