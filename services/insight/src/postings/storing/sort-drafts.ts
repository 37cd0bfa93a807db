import type { PostingDraft } from "../../platforms/posting-draft.js";
import type { InsightRecord, PlatformName } from "../../store/records.js";
import { postingIdOf } from "./identity.js";
import { prepareDraft } from "./prepare-draft.js";

/** The drafts of a page, prepared and without repeats. */
export interface SortedDrafts {
  /** By id of the posting, in the order of the page. */
  byId: ReadonlyMap<string, PostingDraft>;
  /** Drafts that repeat another one of the page; the last copy counts. */
  repeats: number;
}

export function sortDrafts(
  drafts: readonly PostingDraft[],
  { insight, platform, now }: { insight: Pick<InsightRecord, "id">; platform: PlatformName; now: number },
): SortedDrafts {
  const byId = new Map<string, PostingDraft>();
  // The identity is that of the whole text, so that two long texts with the same beginning stay two.
  for (const draft of drafts) byId.set(postingIdOf(insight.id, platform, draft), prepareDraft(draft, now));
  return { byId, repeats: drafts.length - byId.size };
}
