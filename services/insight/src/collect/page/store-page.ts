import { AppError, checkStep, type Step } from "@hourglass/runtime";
import type { PostingDraft } from "../../platforms/posting-draft.js";
import { PlatformError } from "../../platforms/connector.js";
import type { StoreOutcome } from "../../postings/storing/store-postings.js";
import type { Turn } from "../turn/turn.js";

const NOTHING: StoreOutcome = { stored: 0, duplicates: 0, erased: 0 };

/** What is stored of a page. */
export interface PageToStore {
  drafts: readonly PostingDraft[];
  /** Ids of postings that the platform says are gone. */
  gone: readonly string[];
}

/**
 * Erases what is gone, then stores postings and what goes with them in one commit; false if the claim was lost or the
 * insight is no longer running. Throws PlatformError `permanent` if the postings cannot be stored as the platform states
 * them.
 */
export async function storePage(
  { context, connector, insight, search }: Turn,
  { drafts, gone }: PageToStore,
  alongside: (outcome: StoreOutcome) => Step[],
): Promise<boolean> {
  const { id, companyId, epoch } = insight;
  const { platform, preview } = search;
  const { store, storePostings, collections, failpoint } = context;
  failpoint("collector.before_commit");
  // Before the cursor moves: after a crash the page is read again, and erasing it again does nothing.
  if (gone.length > 0) await context.eraseGone({ companyId, platform, socialIds: gone });
  if (drafts.length === 0) {
    const running = checkStep(collections.insights, { id, epoch, status: "running" });
    const committed = await store.commit([running, ...alongside(NOTHING)]);
    failpoint("collector.after_commit");
    return committed.done;
  }
  const marked = connector.idsOnly === true ? drafts.map(withMark) : drafts;
  const request = { insight: { id, companyId, epoch }, platform, drafts: marked, preview, alongside };
  const outcome = await storePostings(request).catch(rethrow);
  failpoint("collector.after_commit");
  return outcome !== undefined;
}

/** Says in the posting that only its ids may be passed on, wherever it goes. */
function withMark(draft: PostingDraft): PostingDraft {
  return { ...draft, moreInfo: { ...draft.moreInfo, ids_only: true } };
}

/** A page that cannot be stored must be visible, rather than be fetched for ever. */
function rethrow(error: unknown): never {
  if (error instanceof AppError && error.kind === "unavailable") throw error;
  throw new PlatformError("permanent", "The platform's postings could not be stored. Tell the operator.", {
    cause: error,
  });
}
