import { openCollections, POSTING_FAILPOINTS } from "@hourglass/insight/postings";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TestStorage } from "../../support/test-storage.js";
import { live, liveOnAfter } from "../lives/live.js";
import { openLifeStorage } from "../lives/storage.js";
import { authorOf, DOOMED, ERASED_AUTHOR, IMPORTED, INSIGHT, POSTED } from "./postings.js";

const ENTRY = "postings-crash/worker";
const IMPORT_OUTCOME = { accepted: IMPORTED, duplicates: 0, unmatched: 0, erased: 0 };
/** Longer than a claim, than the time after which an erasure counts as abandoned, and than what a life moves its clock. */
const LATER_MS = 2 * 60 * 60_000;

/** Kills processes at every step of the life of postings. */
export function postingsCrash(openStorage: () => Promise<TestStorage>): void {
  describe("postings of processes that were killed", () => {
    let undisturbed: Promise<unknown> | undefined;

    it.each(POSTING_FAILPOINTS)("are stored, counted, analyzed and erased exactly once: %s", async (point) => {
      const storage = await openStorage();
      onTestFinished(() => storage.remove());
      // The sweeper ends an erasure only if the process that began it has died.
      const before = /^(worker\.)?erasure\./.test(point) ? ["insight.after_tombstone"] : [];
      const last = await liveOnAfter(point, { entry: ENTRY, storage, laterMs: LATER_MS, before });
      expect(JSON.parse(last.output)).toEqual(IMPORT_OUTCOME);
      const left = await leftIn(storage);
      undisturbed ??= liveUndisturbed(openStorage);
      expect(left).toEqual(await undisturbed);
    });
  });
}

async function liveUndisturbed(openStorage: () => Promise<TestStorage>): Promise<unknown> {
  const storage = await openStorage();
  try {
    const { end, output } = await live(ENTRY, { storage });
    expect(end).toBe(0);
    expect(JSON.parse(output)).toEqual(IMPORT_OUTCOME);
    return await leftIn(storage);
  } finally {
    await storage.remove();
  }
}

/** What the processes have left, which is what they must leave; without what differs from run to run. */
async function leftIn({ env }: TestStorage): Promise<unknown> {
  const { store, close } = await openLifeStorage(env);
  try {
    const collections = await openCollections(store);
    const { postings, insights, tombstones } = collections;
    const found = await postings.find({}, { sort: [["socialId", 1]] });
    const numbers = Array.from({ length: POSTED }, (_, number) => number);
    const kept = numbers.filter((number) => authorOf(number) !== ERASED_AUTHOR).map((number) => `s${number}`);
    const imported = Array.from({ length: IMPORTED }, (_, number) => `n${number}`);
    expect(found.map(({ socialId }) => socialId).sort()).toEqual([...kept, ...imported].sort());
    expect(await insights.get(INSIGHT.id)).toMatchObject({ postings: found.length });
    expect(found.filter(({ content, intention }) => intention !== `intention of ${content.text ?? ""}`)).toEqual([]);
    expect(await insights.get(DOOMED.id)).toBeUndefined();
    for (const name of ["work", "batches", "erasures", "dirtyBuckets", "recounts"] as const) {
      expect(await collections[name].count({}), name).toBe(0);
    }
    expect(await tombstones.count({})).toBe(1);
    return {
      postings: found.map(({ id, content, listedAt, analysis }) => ({ id, content, listedAt, analysis })),
      summaries: await countedIn(collections),
    };
  } finally {
    await close();
  }
}

type Collections = Awaited<ReturnType<typeof openCollections>>;

async function countedIn({ summaryBuckets, summaryPieces, segments }: Collections): Promise<unknown> {
  const sort = [["id", 1]] as const;
  const buckets = await summaryBuckets.find({}, { sort });
  const months = buckets.filter(({ level }) => level === "month");
  const counted = months.flatMap(({ parts }) => parts.map(({ postings }) => postings));
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(POSTED - POSTED / 10 + IMPORTED);
  const pages = await segments.find({}, { sort });
  return {
    buckets: buckets.map(({ id, parts, pieces, segments }) => ({ id, parts, pieces, segments })),
    pieces: (await summaryPieces.find({}, { sort })).map(({ id, lists }) => ({ id, lists })),
    segments: pages.map(({ id, size, columns: { analyzed: _, ...columns } }) => ({ id, size, columns })),
  };
}
