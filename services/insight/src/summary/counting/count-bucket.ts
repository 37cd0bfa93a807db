import { LoopPace } from "@hourglass/runtime";
import type { Collections } from "../../records/collections.js";
import { LIST_KINDS, type StoredList, type SummaryMark, type SummaryPart } from "../../records/summary.js";
import { endOf, levelBelow } from "../../marks/periods.js";
import { readWhole } from "./read-pieces.js";
import { type Lists, Tally } from "./tally.js";

export type CountedCollections = Pick<Collections, "postings" | "summaryBuckets" | "summaryPieces">;

const PAGE = { sort: [["listedAt", 1]], limit: 100 } as const;

/** Counts what lies in a bucket, in turns of the event loop. Rejects if the signal aborts. */
export async function countBucket(
  collections: CountedCollections,
  mark: Pick<SummaryMark, "insightId" | "level" | "start">,
  signal?: AbortSignal,
): Promise<Tally> {
  const below = levelBelow(mark.level);
  return below === undefined
    ? countHour(collections, mark, signal)
    : rollUp(collections, { ...mark, level: below }, mark);
}

async function countHour(
  { postings }: CountedCollections,
  { insightId, start }: Pick<SummaryMark, "insightId" | "start">,
  signal: AbortSignal | undefined,
): Promise<Tally> {
  const tally = new Tally();
  const pace = new LoopPace();
  const filter = { insightId, listedAt: { gte: start, lt: endOf("hour", start) } };
  for (let after = {}; ;) {
    // A stream would take a third more time for the few postings of an hour.
    const page = await postings.find(filter, { ...PAGE, ...after });
    for (const posting of page) tally.add(posting);
    signal?.throwIfAborted();
    await pace.step();
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE.limit) return tally;
    after = { after: last };
  }
}

/** Adds up the buckets of the level below. */
async function rollUp(
  collections: CountedCollections,
  { insightId, level }: Pick<SummaryMark, "insightId" | "level">,
  { level: whole, start }: Pick<SummaryMark, "level" | "start">,
): Promise<Tally> {
  const tally = new Tally();
  const pace = new LoopPace();
  const range = { gte: start, lt: endOf(whole, start) };
  const buckets = await collections.summaryBuckets.find({ insightId, level, start: range }, { sort: [["start", 1]] });
  for await (const { bucket, lists } of readWhole(collections, buckets)) {
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
  return tally;
}

/** Adds what a part's stored lists leave out. */
export function addLosses(lists: Partial<Lists>, { lists: losses }: SummaryPart): void {
  for (const kind of LIST_KINDS) lists[kind]?.addLoss(losses[kind]);
}

/** Adds a stored list; kinds that are not asked for are left out. */
export function addStored(lists: Partial<Lists>, { kind, values, counts }: StoredList): void {
  lists[kind]?.addJoined(values, counts);
}
