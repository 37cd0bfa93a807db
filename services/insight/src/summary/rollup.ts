import {
  type AnyDueKind,
  AppError,
  checkStep,
  deleteStep,
  dueKind,
  failpoint,
  insertStep,
  LoopPace,
  putStep,
  type Step,
  type Store,
} from "@hourglass/runtime";
import type { Collections } from "../store/collections.js";
import { postingOrder } from "../store/posting-order.js";
import {
  LIST_KINDS,
  type StoredList,
  type DirtyBucket,
  type SummaryLevel,
  type SummaryPart,
  type SummaryRecount,
} from "../store/records.js";
import { RECOUNT_KIND } from "../postings/store.js";
import { wholeSegments } from "../segments/read.js";
import { SegmentsBuilder } from "../segments/segment.js";
import { dirtyBucket } from "./dirty-buckets.js";
import { endOf, levelAbove, levelBelow } from "./periods.js";
import { type CountedPostings, readStored, type StoredBucket, toStored } from "./stored-buckets.js";
import { type Lists, Tally } from "./tally.js";

/** Buckets that are recounted between two looks at what is due. */
const DUE_AT_ONCE = 100;
const LEASE_MS = 60_000;

type RollupDeps = RecountDeps & { collections: Pick<Collections, "recounts"> };

/** Recounts dirty buckets once they have not changed for a while: those of one insight together. */
export function recountKind(deps: RollupDeps): AnyDueKind {
  const { collections, now } = deps;
  const { recounts, dirtyBuckets } = collections;
  const dueBuckets = (where: { insightId?: number } = {}) =>
    dirtyBuckets.find({ ...where, dueAt: { lte: now() } }, { sort: [["dueAt", 1]], limit: DUE_AT_ONCE });
  return dueKind<SummaryRecount>({
    name: RECOUNT_KIND,
    records: recounts,
    leaseMs: LEASE_MS,
    failure: "summaries could not be counted",
    prepare: async () => {
      const insights = new Set((await dueBuckets()).map(({ insightId }) => insightId));
      if (insights.size > 0) await recounts.insertNew([...insights].map((id) => ({ id, dueAt: now() })));
    },
    work: async (claim, stopping) => {
      for (;;) {
        const due = await dueBuckets({ insightId: claim.record.id });
        if (due.length === 0) return claim.delete();
        await recountDirty(deps, due);
        failpoint("insight.after_recount");
        if (stopping.aborted) return void (await claim.reschedule(now()));
      }
    },
  });
}

interface RecountDeps {
  store: Pick<Store, "commit">;
  collections: CountedCollections & Pick<Collections, "dirtyBuckets">;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Ends the count. */
  signal?: AbortSignal;
}

/** Buckets and pieces stored in one commit. */
const BUCKETS_MAX = 32;
const PIECES_MAX = 64;
const TRIES_MAX = 50;

interface Recounted {
  bucket: DirtyBucket;
  /** Undefined without postings. */
  stored: StoredBucket | undefined;
}

/**
 * Recounts dirty buckets and stores them; those that change meanwhile are counted again, as often as needed. Any number
 * of processes may count the same bucket; the first one removes it from the dirty ones. AppError `unavailable` if a bucket
 * changes too often.
 */
export async function recountDirty(deps: RecountDeps, dirty: readonly DirtyBucket[]): Promise<void> {
  // A day that was counted together with one of its hours would lack what is new in that, and be dirty no more.
  for (const level of FINEST_FIRST) {
    await recountTogether(
      deps,
      dirty.filter((bucket) => bucket.level === level),
    );
  }
}

const FINEST_FIRST = ["hour", "day", "month"] as const;

/** Recounts dirty buckets of one level. */
async function recountTogether(deps: RecountDeps, dirty: readonly DirtyBucket[]): Promise<void> {
  let counted: Recounted[] = [];
  for (const bucket of dirty) {
    counted.push({ bucket, stored: await countBucket(deps.collections, bucket, deps.signal) });
    const pieces = counted.reduce((sum, { stored }) => sum + recordsOf(stored), 0);
    if (counted.length < BUCKETS_MAX && pieces < PIECES_MAX) continue;
    await storeAll(deps, counted);
    counted = [];
  }
  await storeAll(deps, counted);
}

function recordsOf(stored: StoredBucket | undefined): number {
  return stored === undefined ? 0 : stored.pieces.length + stored.segments.length;
}

async function storeAll(deps: RecountDeps, counted: readonly Recounted[]): Promise<void> {
  if (counted.length === 0 || (await tryToStore(deps, counted))) return;
  for (const { bucket } of counted) await recountOne(deps, bucket.id);
}

/** Counts a bucket until it does not change meanwhile, or another process has counted it. */
async function recountOne(deps: RecountDeps, id: string): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const bucket = await deps.collections.dirtyBuckets.get(id);
    if (bucket === undefined) return;
    const stored = await countBucket(deps.collections, bucket, deps.signal);
    if (await tryToStore(deps, [{ bucket, stored }])) return;
  }
  throw new AppError("unavailable", "The postings change too fast to be counted. Try again later.");
}

/** False, and nothing is stored, if one of the buckets has changed. */
async function tryToStore({ store, collections, now }: RecountDeps, counted: readonly Recounted[]): Promise<boolean> {
  const { done } = await store.commit([
    ...counted.map(({ bucket: { id, token } }) => checkStep(collections.dirtyBuckets, { id, token })),
    ...counted.flatMap((each) => stepsOf(collections, each)),
    ...dirtyAbove(counted, now()).map((bucket) => putStep(collections.dirtyBuckets, bucket)),
    deleteStep(collections.dirtyBuckets, { id: { in: counted.map(({ bucket }) => bucket.id) } }),
  ]);
  return done;
}

function stepsOf(collections: CountedCollections, { bucket: { id }, stored }: Recounted): Step[] {
  const { summaryBuckets, summaryPieces, segments } = collections;
  const without = [deleteStep(summaryPieces, { bucket: id }), deleteStep(segments, { bucket: id })];
  if (stored === undefined) return [...without, deleteStep(summaryBuckets, { id })];
  return [
    ...without,
    putStep(summaryBuckets, stored.bucket),
    insertStep(summaryPieces, ...stored.pieces),
    insertStep(segments, ...stored.segments),
  ];
}

/** The buckets of the level above, which are recounted next. */
function dirtyAbove(counted: readonly Recounted[], now: number): DirtyBucket[] {
  const dirty = counted.flatMap(({ bucket: { insightId, level, start } }) => {
    const above = levelAbove(level);
    return above === undefined ? [] : [dirtyBucket(insightId, { level: above, time: start, now })];
  });
  return [...new Map(dirty.map((bucket) => [bucket.id, bucket])).values()];
}

type CountedCollections = Pick<Collections, "postings" | "summaryBuckets" | "summaryPieces" | "segments">;

const PAGE = { sort: postingOrder("listedAt"), limit: 100 };

/** What lies in a bucket, yielding to the event loop; undefined without postings. Rejects if the signal aborts. */
async function countBucket(
  collections: CountedCollections,
  bucket: Pick<DirtyBucket, "id" | "insightId" | "level" | "start">,
  signal?: AbortSignal,
): Promise<StoredBucket | undefined> {
  const counted = { tally: new Tally(), segments: new SegmentsBuilder(bucket) };
  const below = levelBelow(bucket.level);
  if (below === undefined) await countHour(collections, bucket, counted, signal);
  else await rollUp(collections, { ...bucket, below }, counted);
  return toStored(bucket, counted);
}

async function countHour(
  { postings }: CountedCollections,
  { insightId, start }: Pick<DirtyBucket, "insightId" | "start">,
  { tally, segments }: CountedPostings,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pace = new LoopPace();
  const filter = { insightId, listedAt: { gte: start, lt: endOf("hour", start) } };
  for (let after = {}; ;) {
    // A stream would take a third more time for the few postings of an hour.
    const page = await postings.find(filter, { ...PAGE, ...after });
    for (const posting of page) {
      tally.add(posting);
      segments.add(posting);
    }
    signal?.throwIfAborted();
    await pace.step();
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE.limit) return;
    after = { after: last };
  }
}

/** Adds up the buckets of the level below. */
async function rollUp(
  collections: CountedCollections,
  { insightId, level, start, below }: Pick<DirtyBucket, "insightId" | "level" | "start"> & { below: SummaryLevel },
  { tally, segments }: CountedPostings,
): Promise<void> {
  const pace = new LoopPace();
  const within = { insightId, level: below, start: { gte: start, lt: endOf(level, start) } };
  const buckets = await collections.summaryBuckets.find(within, { sort: [["start", 1]] });
  for await (const { bucket, lists } of readStored(collections, buckets)) {
    for (const part of bucket.parts) {
      const into = tally.of(part.platform);
      into.counts.addPart(part);
      addLosses(into.lists, part);
    }
    for (const list of lists) {
      addStored(tally.of(list.platform).lists, list);
      await pace.step();
    }
  }
  if (below !== "hour") return;
  const pages = await collections.segments.find({ bucket: { in: buckets.map(({ id }) => id) } });
  for (const bucket of buckets) {
    const own = wholeSegments(bucket, pages);
    if (own === undefined) {
      segments.giveUp();
      return;
    }
    for (const segment of own) {
      segments.append(segment, bucket.start);
      await pace.step();
    }
  }
}

/** Adds what a part's stored lists leave out. */
export function addLosses(lists: Partial<Lists>, { lists: losses }: SummaryPart): void {
  for (const kind of LIST_KINDS) lists[kind]?.addLoss(losses[kind]);
}

/** Adds a stored list; kinds that `lists` lacks are left out. */
export function addStored(lists: Partial<Lists>, { kind, values, counts }: StoredList): void {
  lists[kind]?.addJoined(values, counts);
}
