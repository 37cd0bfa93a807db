import { setTimeout as sleep } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { PLATFORM } from "@hourglass/posting";
import type { ErasePostingsRequest, ErasureSchema } from "@hourglass/proto/insight/v1/insight_service";
import {
  deleteStep,
  failpoint,
  insertStep,
  type Logger,
  putStep,
  type Store,
  updateStep,
  pauseAfter,
  type RetryPolicy,
} from "@hourglass/runtime";
import type { Collections } from "../store/collections.js";
import { postingOrder } from "../store/posting-order.js";
import type { InsightRecord, PlatformName, PostingErasure, PostingRecord } from "../store/records.js";
import { markDirtySteps } from "../summary/dirty-buckets.js";
import type { Tombstones } from "./tombstones.js";

/** Postings of a company that their platform no longer shows. */
export interface Gone {
  readonly companyId: number;
  readonly platform: PlatformName;
  readonly socialIds: readonly string[];
}

/** `PostingErasures.eraseGone`, for those that find out what is gone. */
export type EraseGone = (gone: Gone) => Promise<number>;

export interface ErasureOptions extends RemovalOptions {
  store: Pick<Store, "commit" | "nextId">;
  tombstones: Tombstones;
  log: Logger;
}

/** Time after which the sweeper takes an erasure for abandoned, in milliseconds. */
const ABANDONED_MS = 60_000;
/** Ids of one erasure. */
const IDS_MAX = 100;
/** Listed erasures: as many as a request to end them may name. */
const LISTED_MAX = 500;

/** Erasures of postings. First the tombstone, so that nothing brings the postings back, then the postings. */
export class PostingErasures {
  constructor(private readonly options: ErasureOptions) {}

  /**
   * Erases a posting, or all postings of an author, from all searches of the company, and has later polls and imports skip
   * them. Once it has returned, no write that began earlier brings them back. Returns the number of postings. `userId`:
   * who asked for it, for the log; undefined for a service.
   */
  async erase(
    { platform, socialId, authorId }: ErasePostingsRequest,
    companyId: number,
    userId?: number,
  ): Promise<{ deleted: bigint }> {
    const { store, log, now } = this.options;
    const erasure: PostingErasure = {
      id: await store.nextId("posting_erasures"),
      companyId,
      platform: PLATFORM.nameOf(platform),
      ...(socialId === "" ? { by: "author_id", value: authorId } : { by: "social_id", value: socialId }),
      dueAt: now() + ABANDONED_MS,
    };
    const [tombstone] = await this.begin([erasure]);
    const about = { erasure: erasure.id, companyId, platform: erasure.platform, by: erasure.by };
    log.info({ ...about, userId, tombstone }, "an erasure has begun");
    failpoint("insight.after_tombstone");
    const deleted = await this.carryOut(companyId, [erasure]);
    log.info({ ...about, deleted }, "postings were erased");
    return { deleted: BigInt(deleted) };
  }

  /**
   * Erases those of the postings that are stored, from all searches of the company and from its exports, and has later
   * polls skip them. May be repeated. Returns the number of postings.
   */
  async eraseGone({ companyId, platform, socialIds }: Gone): Promise<number> {
    const distinct = [...new Set(socialIds)];
    let deleted = 0;
    for (let start = 0; start < distinct.length; start += IDS_MAX) {
      const ids = distinct.slice(start, start + IDS_MAX);
      deleted += await this.eraseStored({ companyId, platform, socialIds: ids });
    }
    if (deleted > 0) {
      this.options.log.info({ companyId, platform, deleted }, "postings that are gone upstream were erased");
    }
    return deleted;
  }

  /** Ends an erasure whose process has died. */
  async resume(erasure: PostingErasure): Promise<void> {
    const { id, companyId, platform, by } = erasure;
    const deleted = await this.carryOut(companyId, [erasure]);
    this.options.log.info({ erasure: id, companyId, platform, by, deleted }, "postings were erased");
  }

  /** The erasures of a company that exports have to follow: their postings are gone here. Oldest first. */
  async listPending(companyId: number): Promise<{ erasures: MessageInitShape<typeof ErasureSchema>[] }> {
    const { erasures } = this.options.collections;
    const found = await erasures.find({ companyId, dueAt: null }, { sort: [["id", 1]], limit: LISTED_MAX });
    return {
      erasures: found.map(({ id, platform, by, value }) => ({
        id: BigInt(id),
        platform: PLATFORM.numberOf(platform),
        ...(by === "social_id" ? { socialId: value } : { authorId: value }),
      })),
    };
  }

  /** Forgets erasures that exports have followed; what they erased is then named nowhere any more. */
  async endPending(ids: readonly bigint[], companyId: number): Promise<Record<string, never>> {
    await this.options.collections.erasures.delete({ id: { in: ids.map(Number) }, companyId, dueAt: null });
    return {};
  }

  private async eraseStored({ companyId, platform, socialIds }: Gone): Promise<number> {
    const { store, collections, now } = this.options;
    const stored = await collections.postings.find({ companyId, platform, socialId: { in: socialIds } });
    const values = [...new Set(stored.flatMap(({ socialId }) => socialId ?? []))];
    if (values.length === 0) return 0;
    const erasures = await Promise.all(
      values.map(async (value): Promise<PostingErasure> => {
        const id = await store.nextId("posting_erasures");
        return { id, companyId, platform, value, by: "social_id", dueAt: now() + ABANDONED_MS };
      }),
    );
    await this.begin(erasures);
    return this.carryOut(companyId, erasures);
  }

  /**
   * Stores erasures with their tombstones, whose ids are returned. From this write on they are certain: whatever happens,
   * the sweeper ends them.
   */
  private async begin(erasures: readonly PostingErasure[]): Promise<string[]> {
    const { store, collections, tombstones, now } = this.options;
    const named = await Promise.all(
      erasures.map(async (erasure) => ({ id: await tombstones.idOf(erasure), companyId: erasure.companyId })),
    );
    const erasedAt = now();
    const steps = named.map((tombstone) => putStep(collections.tombstones, { ...tombstone, erasedAt }));
    await store.commit([...steps, insertStep(collections.erasures, ...erasures)]);
    return named.map(({ id }) => id);
  }

  /**
   * Does erasures of one company, from the beginning or where a crash ended them; returns the number of postings removed
   * here.
   */
  private async carryOut(companyId: number, erasures: readonly PostingErasure[]): Promise<number> {
    const { insights, postings } = this.options.collections;
    // Writes that read the tombstones too early have also read an earlier batch, so they fail and read again.
    await insights.updateMany({ companyId }, { increment: { batch: 1 } });
    failpoint("insight.after_batches");
    let deleted = 0;
    for (const { platform, by, value } of erasures) {
      const filter = { companyId, platform, ...(by === "social_id" ? { socialId: value } : { authorId: value }) };
      for (;;) {
        const found = await postings.find(filter, { limit: REMOVED_AT_ONCE });
        if (found.length === 0) break;
        deleted += await removePostings(this.options, found);
        failpoint("insight.mid_erasure");
      }
    }
    failpoint("insight.after_erasure");
    await this.end(companyId, erasures);
    return deleted;
  }

  /**
   * An erasure of a company that has exports is kept until they follow it. Exports that begin after the removal cannot
   * have the postings, so a company without exports is not noted too late.
   */
  private async end(companyId: number, ended: readonly PostingErasure[]): Promise<void> {
    const { erasures, exporting } = this.options.collections;
    const id = { in: ended.map((erasure) => erasure.id) };
    if ((await exporting.get(companyId)) === undefined) await erasures.delete({ id });
    else await erasures.updateMany({ id }, { set: { dueAt: null } });
  }
}

export interface RemovalOptions {
  store: Pick<Store, "commit">;
  collections: Collections;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Postings removed in one commit. */
export const REMOVED_AT_ONCE = 200;
/** When a removal is tried again that met other writers. */
const RETRY: RetryPolicy = { firstMs: 10, maxMs: 10, jitter: 1 };

/**
 * Removes postings of any insights, with their work, and takes them off the numbers of postings. Returns how many were
 * removed here and not by another process.
 */
export async function removePostings(options: RemovalOptions, records: readonly PostingRecord[]): Promise<number> {
  const insights = new Map<number, string[]>();
  for (const { id, insightId } of records) {
    const ids = insights.get(insightId);
    if (ids === undefined) insights.set(insightId, [id]);
    else ids.push(id);
  }
  let removed = 0;
  for (const [insightId, ids] of insights) removed += await removeFrom(options, insightId, ids);
  return removed;
}

/** The batch is required and moved, so that the number of those found is the number of those removed. */
async function removeFrom(
  { store, collections, now }: RemovalOptions,
  insightId: number,
  ids: readonly string[],
): Promise<number> {
  const { insights, postings, work, dirtyBuckets } = collections;
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
    await sleep(pauseAfter(RETRY, 1));
  }
}

/** Records deleted with one write; the store does others between two of them. */
const AT_ONCE = 200;
/** After each write it rests for as long as that took, so that others have at least half of the store. */
const REST_MS_MAX = 250;

/**
 * Erases a deleted insight with all that belongs to it, its record last, so that a crash leaves it to be continued.
 * `mayContinue` is asked after each part; if it says no, the result is false and a later call erases the rest.
 */
export async function eraseInsight(
  { store, collections }: RemovalOptions,
  { id: insightId }: InsightRecord,
  mayContinue: () => Promise<boolean>,
): Promise<boolean> {
  const { insights, versions, searches, postings, work, imports, reanalyses } = collections;
  await reanalyses.delete({ id: insightId });
  const areAnalysesErased = await inParts(mayContinue, async () => {
    // Their analyses first: other insights of the company wait behind them.
    const waiting = await work.find({ insightId }, { limit: AT_ONCE });
    const worked = waiting.map(({ id }) => id);
    if (worked.length > 0) await work.delete({ id: { in: worked } });
    return waiting.length;
  });
  if (!areAnalysesErased) return false;
  const arePostingsErased = await inParts(mayContinue, async () => {
    const found = await postings.find({ insightId }, { sort: postingOrder("postedAt"), limit: AT_ONCE });
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
  await versions.delete({ insightId });
  await insights.delete({ id: insightId, status: "deleted" });
  return true;
}

/** Deletes part after part until one is empty; false if it was stopped before. */
async function inParts(mayContinue: () => Promise<boolean>, deletePart: () => Promise<number>): Promise<boolean> {
  for (;;) {
    const begun = performance.now();
    if ((await deletePart()) < AT_ONCE) return true;
    if (!(await mayContinue())) return false;
    await sleep(Math.min(performance.now() - begun, REST_MS_MAX));
  }
}

/** The dirty buckets first: a bucket that is being counted is stored only while it is dirty. */
async function eraseSummaries(
  { dirtyBuckets, summaryBuckets, summaryPieces, segments }: Collections,
  insightId: number,
): Promise<void> {
  await dirtyBuckets.delete({ insightId });
  for (;;) {
    const found = await summaryBuckets.find({ insightId }, { sort: [["level", 1]], limit: AT_ONCE });
    if (found.length === 0) return;
    const ids = found.map(({ id }) => id);
    await summaryPieces.delete({ bucket: { in: ids } });
    await segments.delete({ bucket: { in: ids } });
    await summaryBuckets.delete({ id: { in: ids } });
  }
}
