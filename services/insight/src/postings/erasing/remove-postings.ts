import { setTimeout as sleep } from "node:timers/promises";
import { deleteStep, type Store, updateStep } from "@hourglass/runtime";
import type { Collections } from "../../store/collections.js";
import type { PostingRecord } from "../../store/records.js";
import { markDirtySteps } from "../../summary/dirty-buckets.js";

export interface RemovePostingsDeps {
  store: Pick<Store, "commit">;
  collections: Pick<Collections, "insights" | "postings" | "work" | "dirtyBuckets">;
  now: () => number;
}

/** Postings removed in one commit. */
export const REMOVED_AT_ONCE = 200;
const PAUSE_MS_MAX = 20;

/**
 * Removes postings of any insights, with their work, and takes them off the numbers of postings. Returns how many were
 * removed here and not by another process.
 */
export async function removePostings(deps: RemovePostingsDeps, records: readonly PostingRecord[]): Promise<number> {
  const insights = new Map<number, string[]>();
  for (const { id, insightId } of records) {
    const ids = insights.get(insightId);
    if (ids === undefined) insights.set(insightId, [id]);
    else ids.push(id);
  }
  let removed = 0;
  for (const [insightId, ids] of insights) removed += await removeFrom(deps, insightId, ids);
  return removed;
}

/** The batch is required and moved, so that the number of those found is the number of those removed. */
async function removeFrom(
  { store, collections: { insights, postings, work, dirtyBuckets }, now }: RemovePostingsDeps,
  insightId: number,
  ids: readonly string[],
): Promise<number> {
  for (;;) {
    const insight = await insights.get(insightId);
    if (insight === undefined) return postings.delete({ id: { in: ids } });
    const records = await postings.find({ id: { in: ids } });
    const found = records.map(({ id }) => id);
    if (found.length === 0) return 0;
    const { batch } = insight;
    const change = { set: { batch: batch + 1 }, increment: { postings: -found.length } };
    const { done } = await store.commit([
      updateStep(insights, { id: insightId, batch }, change),
      deleteStep(postings, { id: { in: found } }),
      deleteStep(work, { id: { in: found } }),
      ...markDirtySteps(dirtyBuckets, records, now()),
    ]);
    if (done) return found.length;
    await sleep(Math.random() * PAUSE_MS_MAX);
  }
}
