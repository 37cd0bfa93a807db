import { failpoint, type Store, updateStep } from "@hourglass/runtime";
import { pauseSteps } from "../collect/search/search-record.js";
import type { Collections } from "../records/collections.js";
import { findInsight } from "../records/find-insight.js";

export interface DeleteInsightDeps {
  store: Pick<Store, "commit">;
  collections: Collections;
  now: () => number;
}

/**
 * Makes an insight invisible; the sweeper then erases it with all its postings. Work in progress stores nothing any more.
 * Throws AppError `not-found` if it is unknown or another company's.
 */
export type DeleteInsight = (id: number, companyId: number) => Promise<void>;

export function createDeleteInsight({ store, collections, now }: DeleteInsightDeps): DeleteInsight {
  return async (id, companyId) => {
    for (;;) {
      const { epoch } = await findInsight(collections.insights, id, companyId);
      const searches = await collections.searches.find({ insightId: id });
      const deleted = { set: { status: "deleted", dueAt: now() }, increment: { epoch: 1 } } as const;
      const { done } = await store.commit([
        updateStep(collections.insights, { id, epoch }, deleted),
        ...pauseSteps(collections.searches, searches, epoch + 1),
      ]);
      if (done) break;
    }
    failpoint("insight.after_delete");
  };
}
