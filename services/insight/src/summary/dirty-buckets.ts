import { randomUUID } from "node:crypto";
import { type Collection, type Migration, putStep, type Step, type Store } from "@hourglass/runtime";
import type { Collections } from "../store/collections.js";
import { postingOrder } from "../store/posting-order.js";
import type { DirtyBucket, InsightRecord, PostingRecord, SummaryLevel } from "../store/records.js";
import { bucketId, endOf, startOf } from "./periods.js";

/** Time after which a dirty bucket is recounted in the background: what changes often is counted once. */
const RECOUNT_AFTER_MS: Readonly<Record<SummaryLevel, number>> = { hour: 30_000, day: 60_000, month: 600_000 };

/**
 * Marks the hours of postings as dirty. A write that lists, changes or removes postings, whatever it read of them
 * before, has these steps in its commit, so that the hours are recounted even if the process ends.
 */
export function markDirtySteps(
  dirtyBuckets: Collection<DirtyBucket>,
  postings: Iterable<Pick<PostingRecord, "insightId" | "postedAt">>,
  now: number,
): Step[] {
  const hours = new Map<string, DirtyBucket>();
  for (const { insightId, postedAt } of postings) {
    const bucket = dirtyBucket(insightId, { level: "hour", time: postedAt, now });
    if (!hours.has(bucket.id)) hours.set(bucket.id, bucket);
  }
  return [...hours.values()].map((bucket) => putStep(dirtyBuckets, bucket));
}

/** The record of a dirty bucket: the one in which a time lies. */
export function dirtyBucket(
  insightId: number,
  { level, time, now }: { level: SummaryLevel; time: number; now: number },
): DirtyBucket {
  const start = startOf(level, time);
  const token = randomUUID();
  return {
    id: bucketId(insightId, level, start),
    insightId,
    level,
    start,
    token,
    dueAt: now + RECOUNT_AFTER_MS[level],
  };
}

interface MigrationDeps {
  store: Pick<Store, "commit">;
  collections: Pick<Collections, "insights" | "postings" | "dirtyBuckets">;
  now: () => number;
}

/** Hours marked dirty in one commit. */
const HOURS_AT_ONCE = 500;
/** Earlier than any time that a timestamp can state. */
const EARLIEST = -8.64e15;

/**
 * Marks every hour with analyzed postings as dirty once, since earlier versions stored postings without doing so, or
 * counted them by other rules. A change of what is counted of a posting has a further version of this.
 */
export function markAllDirtyMigration({ store, collections, now }: MigrationDeps, version: number): Migration {
  const { insights, dirtyBuckets } = collections;
  return {
    owner: "insight",
    version,
    up: async (_store, progress) => {
      const mark = async (hours: readonly Hour[]) => {
        if (hours.length > 0) await store.commit(markDirtySteps(dirtyBuckets, hours, now()));
        progress(hours.length);
      };
      for await (const insight of insights.stream({ status: { ne: "deleted" } })) {
        let hours: Hour[] = [];
        for await (const hour of hoursOf(collections, insight)) {
          hours.push(hour);
          if (hours.length < HOURS_AT_ONCE) continue;
          await mark(hours);
          hours = [];
        }
        await mark(hours);
      }
    },
  };
}

interface Hour {
  insightId: number;
  postedAt: number;
}

/** The first posting of each hour: one look into the index for each, however many postings there are. */
async function* hoursOf(
  { postings }: Pick<Collections, "postings">,
  { id: insightId }: Pick<InsightRecord, "id">,
): AsyncGenerator<Hour> {
  for (let from = EARLIEST; ;) {
    const listedAt = { gte: from };
    const [first] = await postings.find({ insightId, listedAt }, { sort: postingOrder("listedAt"), limit: 1 });
    if (typeof first?.listedAt !== "number") return;
    yield { insightId, postedAt: first.listedAt };
    from = endOf("hour", startOf("hour", first.listedAt));
  }
}
