import { randomUUID } from "node:crypto";
import { type Collection, putStep, type Step } from "@hourglass/runtime";
import type { PostingRecord } from "../records/posting.js";
import type { SummaryLevel, SummaryMark } from "../records/summary.js";
import { bucketId, startOf } from "./periods.js";

/** Time after which a marked bucket is counted in the background: what changes often is counted once. */
const COUNT_AFTER_MS: Readonly<Record<SummaryLevel, number>> = { hour: 30_000, day: 60_000, month: 600_000 };

/**
 * Marks the hours of postings as changed. A write that lists, changes or removes postings, whatever it read of them
 * before, has these steps in its commit, so that the hours are counted anew whenever that process ends.
 */
export function markSteps(
  marks: Collection<SummaryMark>,
  postings: Iterable<Pick<PostingRecord, "insightId" | "postedAt">>,
  now: number,
): Step[] {
  const hours = new Map<string, SummaryMark>();
  for (const { insightId, postedAt } of postings) {
    const mark = newMark(insightId, { level: "hour", time: postedAt, now });
    if (!hours.has(mark.id)) hours.set(mark.id, mark);
  }
  return [...hours.values()].map((mark) => putStep(marks, mark));
}

/** The mark of the bucket in which a time lies. */
export function newMark(
  insightId: number,
  { level, time, now }: { level: SummaryLevel; time: number; now: number },
): SummaryMark {
  const start = startOf(level, time);
  const token = randomUUID();
  return { id: bucketId(insightId, level, start), insightId, level, start, token, dueAt: now + COUNT_AFTER_MS[level] };
}
