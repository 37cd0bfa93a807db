import { defined } from "../schemas.js";
import { mentionsIn, tagsIn } from "../text.js";
import type { PostingDraft } from "../posting-draft.js";
import type { Rechecks } from "../connector.js";
import type { YoutubeDeps } from "../youtube/asking/ask-youtube.js";
import { IDS_MAX, lookUpIds, TERM_MS } from "../youtube/asking/look-up-ids.js";
import { readComment, type YoutubeComment } from "./asking/list-comments.js";
import { namedAuthorOf } from "./posting/to-posting.js";

const QUESTION = {
  method: "comments",
  parameters: { part: "snippet", textFormat: "plainText" },
  id: /^[\w.-]{1,200}$/,
  read: readComment,
} as const;

/** Stored comments are asked for by their ids, 50 for a unit. */
export function createRechecks(deps: YoutubeDeps): Rechecks {
  return {
    idsMax: IDS_MAX,
    termMs: () => TERM_MS,
    lookUp: async (request) => {
      const { items, gone } = await lookUpIds(deps, QUESTION, request);
      return { found: items.map(refreshed), gone };
    },
  };
}

/** What may have changed. What the video says of the comment stays as it is stored. */
function refreshed(comment: YoutubeComment): PostingDraft {
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
