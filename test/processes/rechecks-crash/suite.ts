import { openCollections, RECHECK_FAILPOINTS } from "@hourglass/insight/postings";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TestStorage } from "../../support/test-storage.js";
import { live, liveOnAfter } from "../lives/live.js";
import { openLifeStorage } from "../lives/storage.js";
import { ASKED_AT_ONCE, drafts, INSIGHTS, STORED, upstream } from "./platform.js";

const ENTRY = "rechecks-crash/rechecker";
/** Longer than any claim. */
const LATER_MS = 10 * 60_000;
/** Each may have asked a question whose answer died with it. */
const KILLS_MAX = 2;

/** Kills processes at every step of a recheck of stored postings. */
export function rechecksCrash(openStorage: () => Promise<TestStorage>): void {
  describe("rechecks of processes that were killed", () => {
    let undisturbed: Promise<unknown> | undefined;

    it.each(RECHECK_FAILPOINTS)(
      "erase what is gone, refresh what is there, and ask for each once: %s",
      async (point) => {
        const storage = await openStorage();
        onTestFinished(() => storage.remove());
        await liveOnAfter(point, { entry: ENTRY, storage, laterMs: LATER_MS });
        const left = await leftIn(storage, { repeatedMax: KILLS_MAX * ASKED_AT_ONCE });
        undisturbed ??= liveUndisturbed(openStorage);
        expect(left).toEqual(await undisturbed);
      },
    );
  });
}

async function liveUndisturbed(openStorage: () => Promise<TestStorage>): Promise<unknown> {
  const storage = await openStorage();
  try {
    expect((await live(ENTRY, { storage })).end).toBe(0);
    return await leftIn(storage, { repeatedMax: 0 });
  } finally {
    await storage.remove();
  }
}

/** What the processes have left, which is what they must leave; without what differs from run to run. */
async function leftIn({ env }: TestStorage, { repeatedMax }: { repeatedMax: number }): Promise<unknown> {
  const { store, queue, close } = await openLifeStorage(env);
  try {
    const { postings, insights, erasures, tombstones, rechecks, work } = await openCollections(store);
    const there = drafts().flatMap(({ socialId = "" }) => upstream(socialId) ?? []);
    const found = await postings.find({}, { sort: [["id", 1]] });
    for (const insight of INSIGHTS) {
      const own = found.filter(({ insightId }) => insightId === insight.id).map(({ content }) => content);
      const byTime = own.sort((one, other) => one.postedAt - other.postedAt);
      expect(byTime.map(({ socialId, text }) => ({ socialId, text }))).toEqual(
        there.map(({ socialId, text }) => ({ socialId, text })),
      );
      expect(await insights.get(insight.id)).toMatchObject({ postings: there.length });
    }
    const questions = await (await store.collection<{ id: number; ids: string[] }>({ name: "test_asked" })).find({});
    const asked = questions.flatMap(({ ids }) => ids);
    expect(new Set(asked).size).toBe(STORED);
    expect(asked.length).toBeLessThanOrEqual(STORED + repeatedMax);
    expect(await erasures.count({})).toBe(0);
    expect(await queue.countDead("insight.recheck")).toBe(0);
    const [recheck, ...others] = await rechecks.find({});
    expect(others).toEqual([]);
    expect(recheck).toMatchObject({ round: null, failures: 0, lastError: null });
    const works = await work.find({}, { sort: [["id", 1]] });
    return {
      postings: found.map(({ id, version, content }) => ({ id, version, content })),
      work: works.map(({ id }) => id),
      tombstones: await tombstones.count({}),
    };
  } finally {
    await close();
  }
}
