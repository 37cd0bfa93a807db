import { claimDue } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Page } from "../platforms/connector.js";
import { COLLECTOR_FAILPOINTS } from "./turn.js";
import { CollectorWorld, draft, drafts, killedAt, LEASE_MS, PLATFORM } from "./testing/collector-world.js";
import { FakePlatform, TimelinePlatform } from "./testing/fake-platform.js";

const NUMBERS = [1, 2, 3, 4, 5];
const ALL = NUMBERS.map((number) => `s${number}`);

/** An answer that a test gives when it wants to. */
function held(): { answer: () => Promise<Partial<Page>>; asked: Promise<void>; give: (page: Partial<Page>) => void } {
  let [ask, give] = [(): void => undefined, (_: Partial<Page>): void => undefined];
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const given = new Promise<Partial<Page>>((resolve) => (give = resolve));
  const answer = (): Promise<Partial<Page>> => {
    ask();
    return given;
  };
  return { answer, asked, give: (page) => give(page) };
}

describe("an interrupted poll", () => {
  let world: CollectorWorld;
  beforeEach(async () => {
    world = await CollectorWorld.open();
  });
  afterEach(() => world.close());
  const open = <P extends FakePlatform>(connector: P): P => {
    world.platforms.set(PLATFORM, { connector });
    return connector;
  };

  for (const name of COLLECTOR_FAILPOINTS) {
    it.each([1, 2, 3])(`loses and repeats nothing if it is killed at ${name}, pass %i`, async (pass) => {
      const platform = open(new TimelinePlatform());
      platform.postings.push(...drafts(...NUMBERS));
      platform.failsAt = name.endsWith("failure") ? 2 : 0;
      const insight = await world.insight();
      world.time += 1000;
      await world
        .worker(killedAt(name, pass))
        .poll()
        .catch(() => undefined);
      const second = world.worker();
      const until = world.time + 10 * LEASE_MS;
      world.time += LEASE_MS;
      await second.poll();
      while ((await world.search(insight)).lastSuccessAt === null && world.time < until) await second.pollNext();
      expect(await world.stored(insight)).toEqual(ALL);
      const { counts, cursor, poll } = await world.search(insight);
      expect(counts.stored).toBe(ALL.length);
      expect(poll).toBeNull();
      expect(cursor).toBe(draft(5).postedAt);
    });
  }

  it("requests no page again that was stored", async () => {
    const platform = open(new TimelinePlatform());
    platform.postings.push(...drafts(...NUMBERS));
    await world.insight();
    world.time += 1000;
    await expect(world.worker(killedAt("collector.before_fetch", 3)).poll()).rejects.toThrow("killed");
    world.time += LEASE_MS;
    await world.worker().poll();
    const tokens = platform.requests.map(({ pageToken }) => JSON.stringify(pageToken));
    expect(tokens).toHaveLength(3);
    expect(new Set(tokens).size).toBe(3);
  });

  it("stores nothing once the insight is paused, although its request is under way", async () => {
    const { answer, asked, give } = held();
    open(new FakePlatform(answer));
    const insight = await world.insight();
    world.time += 1000;
    const polling = world.worker().poll();
    await asked;
    await world.pause(insight);
    give({ postings: drafts(1), cursor: "c1" });
    await polling;
    expect(await world.stored(insight)).toEqual([]);
    expect(await world.search(insight)).toMatchObject({ cursor: null, dueAt: null, counts: { fetched: 0 } });
  });

  it("stores nothing for a pause that was resumed since", async () => {
    const { answer, asked, give } = held();
    const platform = open(new FakePlatform(answer, { postings: drafts(2), cursor: "c2" }));
    const insight = await world.insight();
    world.time += 1000;
    const polling = world.worker().poll();
    await asked;
    await world.pause(insight);
    await world.resume(insight);
    give({ postings: drafts(1), cursor: "c1" });
    await polling;
    expect(await world.stored(insight)).toEqual([]);
    await world.worker().pollNext();
    expect(platform.requests[1]).toMatchObject({ cursor: null });
    expect(await world.search(insight)).toMatchObject({ cursor: "c2" });
  });

  it("stores nothing if another process has the search by then", async () => {
    const { answer, asked, give } = held();
    open(new FakePlatform(answer, { postings: drafts(1), cursor: "second" }));
    const insight = await world.insight();
    world.time += 1000;
    const zombie = world.worker().poll();
    await asked;
    world.time += LEASE_MS;
    await world.worker().poll();
    give({ postings: drafts(1, 2), cursor: "first" });
    await zombie;
    expect(await world.stored(insight)).toEqual(["s1"]);
    expect(await world.search(insight)).toMatchObject({ cursor: "second", counts: { requests: 1, stored: 1 } });
  });

  it("keeps its claim while a request is slow", async () => {
    const { answer, asked, give } = held();
    open(new FakePlatform(answer));
    const insight = await world.insight();
    world.time += 1000;
    // Renewed at a third of it, in real time: long enough for a database that answers slowly.
    const polling = world.worker({ leaseMs: 3_000 }).poll();
    await asked;
    const claimed = (await world.search(insight)).dueAt ?? 0;
    world.time += 20;
    await vi.waitFor(async () => expect((await world.search(insight)).dueAt).toBeGreaterThan(claimed));
    give({ postings: drafts(1), cursor: "c1" });
    await polling;
    expect(await world.search(insight)).toMatchObject({ cursor: "c1", status: "waiting" });
  });

  it("abandons its request when it learns that the claim is lost", async () => {
    const { answer, asked } = held();
    const platform = open(new FakePlatform(answer));
    const insight = await world.insight();
    world.time += 1000;
    // Renewed at a third of it, in real time: long enough for a database that answers slowly.
    const polling = world.worker({ leaseMs: 3_000 }).poll();
    await asked;
    await world.pause(insight);
    await polling;
    expect(platform.requests[0]?.signal.aborted).toBe(true);
  });

  it("is handed back when the process stops, and continues at the next page", async () => {
    const platform = open(new TimelinePlatform());
    platform.postings.push(...drafts(...NUMBERS));
    const insight = await world.insight();
    world.time += 1000;
    await world.worker({ isStopping: () => true }).poll();
    expect(await world.search(insight)).toMatchObject({ dueAt: world.time, poll: { pages: 1 } });
    await world.worker().poll();
    expect(await world.stored(insight)).toEqual(ALL);
    expect(platform.requests).toHaveLength(3);
  });

  it("is handed back at once when the time for stopping runs out", async () => {
    const { answer, asked } = held();
    open(new FakePlatform(answer));
    const insight = await world.insight();
    world.time += 1000;
    const abandoned = new AbortController();
    const polling = world.worker({ abandoned: abandoned.signal }).poll();
    await asked;
    abandoned.abort(new Error("the process is stopping"));
    await polling;
    expect(await world.search(insight)).toMatchObject({ dueAt: world.time, failures: 0, lastError: null });
  });

  it("does nothing for a search that was due when its insight was paused", async () => {
    const platform = open(new FakePlatform());
    const insight = await world.insight();
    const { searches, insights } = world.collections;
    world.time += 1000;
    await insights.update({ id: insight.id }, { set: { status: "paused", epoch: 2 } });
    const [due] = await searches.find({ dueAt: { lte: world.time } }, { limit: 1 });
    expect(due).toBeDefined();
    await world.worker().poll();
    expect(platform.requests).toEqual([]);
    expect(await world.search(insight)).toMatchObject({ dueAt: null });
    expect(await claimDue({ records: searches, leaseMs: LEASE_MS, now: world.now }, due!)).toBeUndefined();
  });
});
