import { randomUUID } from "node:crypto";
import { type Collection, putStep, type Step } from "@hourglass/runtime";
import type { DirtyBucket, PostingRecord, SummaryLevel } from "../store/records.js";
import { bucketId, startOf } from "./periods.js";

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
