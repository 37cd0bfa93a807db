import { AppError, checkStep, deleteStep, insertStep, putStep, type Step, type Store } from "@hourglass/runtime";
import type { Collections } from "../../records/collections.js";
import type { SummaryMark } from "../../records/summary.js";
import { newMark } from "../../marks/marks.js";
import { levelAbove } from "../../marks/periods.js";
import { type CountedCollections, countBucket } from "./count-bucket.js";
import { type StoredBucket, toStored } from "./stored-form.js";

export interface CountDeps {
  store: Pick<Store, "commit">;
  collections: CountedCollections & Pick<Collections, "summaryMarks">;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Ends the count. */
  signal?: AbortSignal;
}

/** Buckets and pieces stored in one commit. */
const BUCKETS_MAX = 32;
const PIECES_MAX = 64;
const TRIES_MAX = 50;

interface Counted {
  mark: SummaryMark;
  /** Undefined without postings. */
  stored: StoredBucket | undefined;
}

/**
 * Counts marked buckets and stores them, unless they change meanwhile: then they are counted again, as often as needed.
 * Any number of processes may count the same bucket; the first one removes the mark. AppError `unavailable` if a bucket
 * changes too often.
 */
export async function countMarked(deps: CountDeps, marks: readonly SummaryMark[]): Promise<void> {
  let counted: Counted[] = [];
  for (const mark of marks) {
    counted.push({ mark, stored: toStored(mark, await countBucket(deps.collections, mark, deps.signal)) });
    const pieces = counted.reduce((sum, { stored }) => sum + (stored?.pieces.length ?? 0), 0);
    if (counted.length < BUCKETS_MAX && pieces < PIECES_MAX) continue;
    await storeAll(deps, counted);
    counted = [];
  }
  await storeAll(deps, counted);
}

async function storeAll(deps: CountDeps, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0 || (await tryToStore(deps, counted))) return;
  for (const { mark } of counted) await countOne(deps, mark.id);
}

/** Counts a bucket until it does not change meanwhile, or another process has counted it. */
async function countOne(deps: CountDeps, id: string): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const mark = await deps.collections.summaryMarks.get(id);
    if (mark === undefined) return;
    const stored = toStored(mark, await countBucket(deps.collections, mark, deps.signal));
    if (await tryToStore(deps, [{ mark, stored }])) return;
  }
  throw new AppError("unavailable", "The postings change too fast to be counted. Try again later.");
}

/** False, and nothing is stored, if one of the marks has changed. */
async function tryToStore({ store, collections, now }: CountDeps, counted: readonly Counted[]): Promise<boolean> {
  const { done } = await store.commit([
    ...counted.map(({ mark: { id, token } }) => checkStep(collections.summaryMarks, { id, token })),
    ...counted.flatMap((each) => stepsOf(collections, each)),
    ...marksAbove(counted, now()).map((mark) => putStep(collections.summaryMarks, mark)),
    deleteStep(collections.summaryMarks, { id: { in: counted.map(({ mark }) => mark.id) } }),
  ]);
  return done;
}

function stepsOf({ summaryBuckets, summaryPieces }: CountedCollections, { mark: { id }, stored }: Counted): Step[] {
  const without = deleteStep(summaryPieces, { bucket: id });
  if (stored === undefined) return [without, deleteStep(summaryBuckets, { id })];
  return [without, putStep(summaryBuckets, stored.bucket), insertStep(summaryPieces, ...stored.pieces)];
}

/** What consists of the buckets is to be counted next. */
function marksAbove(counted: readonly Counted[], now: number): SummaryMark[] {
  const marks = counted.flatMap(({ mark: { insightId, level, start } }) => {
    const above = levelAbove(level);
    return above === undefined ? [] : [newMark(insightId, { level: above, time: start, now })];
  });
  return [...new Map(marks.map((mark) => [mark.id, mark])).values()];
}
