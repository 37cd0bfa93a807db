import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SearchRecord } from "../store/records.js";
import { collectorJobs } from "./collector.js";
import { STALLED_AFTER_MS, UNTAKEN_AFTER_MS } from "./schedule-policy.js";
import { shownState } from "./searches.js";
import { CollectorWorld, drafts, PLATFORM } from "./testing/collector-world.js";
import { TimelinePlatform } from "./testing/fake-platform.js";

const HOUR_MS = 60 * 60_000;

describe("a search that does not run", () => {
  let world: CollectorWorld;
  let platform: TimelinePlatform;
  beforeEach(async () => {
    world = await CollectorWorld.open();
    platform = new TimelinePlatform();
    platform.postings.push(...drafts(1, 2));
    world.platforms.set(PLATFORM, { connector: platform });
  });
  afterEach(() => world.close());

  /** The state of a new search after a while, with these fields of its work. */
  const shownAfter = async (ms: number, fields: (dueAt: number) => Partial<SearchRecord> = () => ({})) => {
    const insight = await world.insight();
    const search = await world.search(insight);
    world.time += ms;
    const { status, stalled } = shownState({ ...search, ...fields(world.time + 30_000) }, world.time);
    return { status, why: stalled?.why, nextTryAt: stalled?.nextTryAt };
  };

  it("says when no process takes it, and not before it has had its time", async () => {
    const patient = await shownAfter(UNTAKEN_AFTER_MS / 2);
    expect(patient).toEqual({ status: "collecting", why: undefined, nextTryAt: undefined });
    expect(await shownAfter(2 * UNTAKEN_AFTER_MS)).toEqual({ status: "stalled", why: "untaken", nextTryAt: null });
  });

  it.each(["failed", "unavailable", "lost"] as const)("says why it waits, and until when (%s)", async (why) => {
    const waiting = (dueAt: number) => ({ dueAt, attempts: 1, setback: { why, until: dueAt } });
    const shown = await shownAfter(2 * STALLED_AFTER_MS, waiting);
    expect(shown).toEqual({ status: "stalled", why, nextTryAt: world.time + 30_000 });
    expect(await shownAfter(STALLED_AFTER_MS / 2, waiting)).toMatchObject({ status: "collecting" });
  });

  it("is not one whose poll takes long", async () => {
    expect(await shownAfter(HOUR_MS, (dueAt) => ({ dueAt, attempts: 1 }))).toMatchObject({ status: "collecting" });
  });

  it("is left alone for a day when its workers are gone, says so, and runs at once when its dead letter is retried", async () => {
    const insight = await world.insight();
    const { id } = await world.search(insight);
    await world.collections.searches.update({ id }, { set: { attempts: 10 } });
    world.time += 2 * STALLED_AFTER_MS;
    const jobs = collectorJobs({ ...world.deps(), queue: world.queue }, { checkEveryMs: 10 }).start();
    try {
      await vi.waitFor(async () => expect(await world.queue.countDead("insight.collect")).toBe(1));
      const { status, stalled } = shownState(await world.search(insight), world.time);
      expect(status).toBe("stalled");
      expect(stalled).toMatchObject({ why: "died", reason: expect.stringMatching(/dead jobs/) });
      expect(stalled?.nextTryAt).toBeGreaterThan(world.time + 23 * HOUR_MS);
      expect(platform.requests).toEqual([]);
      const [letter] = await world.queue.listDead("insight.collect", 1);
      await world.queue.retryDead(letter?.id ?? "");
      await vi.waitFor(async () =>
        expect(shownState(await world.search(insight), world.time)).toMatchObject({ status: "waiting", stalled: null }),
      );
      expect(platform.requests.length).toBeGreaterThan(0);
    } finally {
      await jobs.stop(1000);
    }
  });
});
