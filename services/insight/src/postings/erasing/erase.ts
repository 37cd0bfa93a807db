import { failpoint, insertStep, type Logger, putStep, type Store } from "@hourglass/runtime";
import type { Collections } from "../../store/collections.js";
import type { PostingErasure } from "../../store/records.js";
import { REMOVED_AT_ONCE, removePostings } from "./remove-postings.js";
import type { Tombstones } from "./tombstones.js";

export interface EraseDeps {
  store: Pick<Store, "commit" | "nextId">;
  collections: Pick<
    Collections,
    "insights" | "postings" | "work" | "tombstones" | "erasures" | "exporting" | "dirtyBuckets"
  >;
  tombstones: Tombstones;
  log: Logger;
  now: () => number;
}

/** Time after which the sweeper takes an erasure for abandoned, in milliseconds. */
export const ABANDONED_MS = 60_000;

/**
 * Stores erasures with their tombstones, whose ids are returned. From this write on they are certain: whatever happens, the
 * sweeper ends them.
 */
export async function beginErasures(
  { store, collections, tombstones, now }: Pick<EraseDeps, "store" | "collections" | "tombstones" | "now">,
  erasures: readonly PostingErasure[],
): Promise<string[]> {
  const named = erasures.map(async (erasure) => ({ id: await tombstones.idOf(erasure), companyId: erasure.companyId }));
  const marks = await Promise.all(named);
  const erasedAt = now();
  const steps = marks.map((mark) => putStep(collections.tombstones, { ...mark, erasedAt }));
  await store.commit([...steps, insertStep(collections.erasures, ...erasures)]);
  return marks.map(({ id }) => id);
}

/**
 * Does erasures of one company, from the beginning or where a crash ended them; returns the number of postings removed
 * here.
 */
export async function erase(
  deps: Pick<EraseDeps, "store" | "collections" | "log" | "now">,
  companyId: number,
  erasures: readonly PostingErasure[],
): Promise<number> {
  const { insights, postings } = deps.collections;
  // Writes that read the tombstones too early have also read an earlier batch, so they fail and read again.
  await insights.updateMany({ companyId }, { increment: { batch: 1 } });
  failpoint("insight.after_batches");
  let deleted = 0;
  for (const { platform, by, value } of erasures) {
    const filter = { companyId, platform, ...(by === "social_id" ? { socialId: value } : { authorId: value }) };
    for (;;) {
      const found = await postings.find(filter, { limit: REMOVED_AT_ONCE });
      if (found.length === 0) break;
      deleted += await removePostings(deps, found);
      failpoint("insight.mid_erasure");
    }
  }
  failpoint("insight.after_erasure");
  await end(deps.collections, companyId, erasures);
  return deleted;
}

/**
 * An erasure of a company that has exports is kept until they follow it. Exports that begin after the removal cannot have
 * the postings, so a company without exports is not noted too late.
 */
async function end(
  { erasures, exporting }: Pick<Collections, "erasures" | "exporting">,
  companyId: number,
  ended: readonly PostingErasure[],
): Promise<void> {
  const id = { in: ended.map((erasure) => erasure.id) };
  if ((await exporting.get(companyId)) === undefined) await erasures.delete({ id });
  else await erasures.updateMany({ id }, { set: { dueAt: null } });
}
