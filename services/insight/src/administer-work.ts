import type { Store } from "@hourglass/runtime";
import { readStalled, type Stalled } from "./collector/stalled.js";
import { AnalysisBatches } from "./postings/batches.js";
import { openWork } from "./store/collections.js";

/** A search whose polls are due and not done. */
export interface StalledSearch extends Stalled {
  insightId: number;
  platform: string;
  /** When its next poll was to begin, in milliseconds since the epoch. */
  dueSince: number;
}

/** Looks at the work of insights for the operator, and changes nothing. */
export interface WorkAdministration {
  /** The searches that stand still, the latest first. */
  stalled(): Promise<StalledSearch[]>;
  /** Since when the posting that waits longest for its analysis has been due; undefined if none is. */
  oldestPosting(): Promise<number | undefined>;
}

/** Looks at the work on a store that servers may be using. `now` is in milliseconds since the epoch. */
export async function lookAtWork(store: Store, now: () => number): Promise<WorkAdministration> {
  const collections = await openWork(store);
  const batches = new AnalysisBatches({ store, collections, now });
  return {
    async stalled() {
      const found = await readStalled(collections.searches, now());
      return found.map(({ search: { insightId, platform, nextAt }, stalled }) => ({
        ...stalled,
        insightId,
        platform,
        dueSince: nextAt ?? now(),
      }));
    },
    oldestPosting: () => batches.oldestDueAt(),
  };
}
