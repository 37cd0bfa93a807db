import { setTimeout as sleep } from "node:timers/promises";
import { deleteStep, failpoint, type Store } from "@hourglass/runtime";
import type { Collections } from "../../store/collections.js";
import type { InsightRecord } from "../../store/records.js";

export interface EraseInsightDeps {
  store: Pick<Store, "commit">;
  collections: Pick<
    Collections,
    "insights" | "searches" | "postings" | "work" | "imports" | "dirtyBuckets" | "summaryBuckets" | "summaryPieces"
  >;
}

/** Records deleted with one write; the store does others between two of them. */
const AT_ONCE = 200;
/** After each write it rests for as long as that took, so that others have at least half of the store. */
const REST_MS_MAX = 250;

/**
 * Erases a deleted insight with all that belongs to it, its record last, so that a crash leaves it to be continued.
 * `goOn` is asked after each part; if it says no, the result is false and a later call erases the rest.
 */
export async function eraseInsight(
  deps: EraseInsightDeps,
  { id: insightId }: Pick<InsightRecord, "id">,
  goOn: () => Promise<boolean>,
): Promise<boolean> {
  const { store, collections } = deps;
  const { insights, searches, postings, work, imports } = collections;
  const areAnalysesErased = await inParts(goOn, async () => {
    // Their analyses first: other insights of the company wait in line behind them.
    const waiting = await work.find({ insightId }, { limit: AT_ONCE });
    const worked = waiting.map(({ id }) => id);
    if (worked.length > 0) await work.delete({ id: { in: worked } });
    return waiting.length;
  });
  if (!areAnalysesErased) return false;
  const arePostingsErased = await inParts(goOn, async () => {
    const found = await postings.find({ insightId }, { sort: [["postedAt", 1]], limit: AT_ONCE });
    const ids = found.map(({ id }) => id);
    if (ids.length > 0)
      await store.commit([deleteStep(postings, { id: { in: ids } }), deleteStep(work, { id: { in: ids } })]);
    failpoint("insight.mid_deletion");
    return found.length;
  });
  if (!arePostingsErased) return false;
  await work.delete({ insightId });
  await imports.delete({ insightId });
  await eraseSummaries(collections, insightId);
  await searches.delete({ insightId });
  await insights.delete({ id: insightId, status: "deleted" });
  return true;
}

/** Deletes part after part until one is empty; false if it shall not go on. */
async function inParts(goOn: () => Promise<boolean>, deletePart: () => Promise<number>): Promise<boolean> {
  for (;;) {
    const begun = performance.now();
    if ((await deletePart()) < AT_ONCE) return true;
    if (!(await goOn())) return false;
    await sleep(Math.min(performance.now() - begun, REST_MS_MAX));
  }
}

/** The marks first: without its mark, a bucket that is being counted is not stored. */
async function eraseSummaries(
  { dirtyBuckets, summaryBuckets, summaryPieces }: EraseInsightDeps["collections"],
  insightId: number,
): Promise<void> {
  await dirtyBuckets.delete({ insightId });
  for (;;) {
    const found = await summaryBuckets.find({ insightId }, { sort: [["level", 1]], limit: AT_ONCE });
    if (found.length === 0) return;
    const ids = found.map(({ id }) => id);
    await summaryPieces.delete({ bucket: { in: ids } });
    await summaryBuckets.delete({ id: { in: ids } });
  }
}
