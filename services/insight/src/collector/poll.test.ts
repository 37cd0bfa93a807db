import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PlatformError } from "../platforms/connector.js";
import { PAGE_RETRY, nextPollAt, PREVIEW_POSTINGS, TURN_PAGES_MAX } from "./schedule-policy.js";
import { CollectorWorld, draft, drafts, INTERVAL_MS, PLATFORM } from "./testing/collector-world.js";
import { FakePlatform, TimelinePlatform } from "./testing/fake-platform.js";

describe("a poll", () => {
  let world: CollectorWorld;
  beforeEach(async () => {
    world = await CollectorWorld.open();
  });
  afterEach(() => world.close());
  const open = (connector: FakePlatform): FakePlatform => {
    world.platforms.set(PLATFORM, { connector });
    return connector;
  };

  it("stores what matches the query, with the counts and the cursor", async () => {
    const other = draft(3, { text: "A sparrowhawk" });
    open(new FakePlatform({ postings: [...drafts(1, 2), other], skipped: 4, cursor: "c1" }));
    const insight = await world.insight();
    await world.worker().pollNext();
    expect(await world.stored(insight)).toEqual(["s1", "s2"]);
    expect(await world.search(insight)).toMatchObject({
      status: "waiting",
      cursor: "c1",
      poll: null,
      lastError: null,
      lastSuccessAt: world.time,
      counts: { requests: 1, fetched: 3, matched: 2, stored: 2, duplicates: 0, skipped: 4 },
    });
  });

  it("stores the cursor and the counts of a page without matching postings", async () => {
    open(new FakePlatform({ postings: [draft(1, { text: "A sparrowhawk" })], cursor: "c1" }));
    const insight = await world.insight();
    await world.worker().pollNext();
    expect(await world.stored(insight)).toEqual([]);
    expect(await world.search(insight)).toMatchObject({ cursor: "c1", counts: { fetched: 1, matched: 0 } });
  });

  it("looks back seven days at first, or as far as the platform allows", async () => {
    const [week, day] = [new FakePlatform(), new FakePlatform()];
    day.lookBackMs = 86_400_000;
    world.platforms.set("twitter", { connector: week }).set("news", { connector: day });
    await world.insight({}, { platforms: ["twitter", "news"] });
    world.time += 1000;
    await world.worker().poll();
    expect(week.requests[0]?.since).toBe(world.time - 7 * 86_400_000);
    expect(day.requests[0]?.since).toBe(world.time - 86_400_000);
  });

  it("continues at its cursor and searches again what may have been indexed late", async () => {
    const platform = open(new FakePlatform({ cursor: "c1" }));
    const insight = await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    const first = world.time;
    await worker.pollNext();
    expect(platform.requests[1]).toMatchObject({ cursor: "c1", pageToken: null, since: first - 600_000 });
    expect(await world.search(insight)).toMatchObject({ failures: 0 });
  });

  it("moves the cursor only with its last page", async () => {
    const platform = open(
      new FakePlatform(
        { postings: drafts(4, 3), nextPage: "p2", cursor: "c4" },
        { postings: drafts(2, 1), cursor: "c4" },
      ),
    );
    const insight = await world.insight();
    const cursors: unknown[] = [];
    const failpoint = (name: string) => {
      if (name === "collector.before_commit") cursors.push(platform.requests.at(-1)?.cursor);
    };
    await world.worker({ failpoint }).pollNext();
    expect(cursors).toEqual([null, null]);
    expect(platform.requests.map(({ pageToken }) => pageToken)).toEqual([null, "p2"]);
    expect(await world.search(insight)).toMatchObject({ cursor: "c4", counts: { stored: 4 } });
  });

  it("collects every posting once while new ones appear", async () => {
    const platform = new TimelinePlatform();
    open(platform);
    const insight = await world.insight();
    const worker = world.worker();
    for (let round = 0; round < 5; round += 1) {
      for (let each = 0; each < round * 2; each += 1) {
        const number = round * 10 + each;
        platform.postings.push(draft(number, { postedAt: world.time + each * 1000 }));
      }
      world.time += INTERVAL_MS;
      await worker.pollNext();
    }
    const expected = platform.postings.map(({ socialId }) => socialId);
    expect(await world.stored(insight)).toEqual(expected);
    expect((await world.search(insight)).counts.stored).toBe(expected.length);
  });

  it("ends when the platform repeats a page token", async () => {
    const platform = open(
      new FakePlatform(
        { postings: drafts(1), nextPage: { at: 1 }, cursor: "a" },
        { postings: drafts(2), nextPage: { at: 2 }, cursor: "b" },
        { postings: drafts(3), nextPage: { at: 1 }, cursor: "c" },
      ),
    );
    const insight = await world.insight();
    await world.worker().pollNext();
    expect(platform.requests).toHaveLength(3);
    expect(await world.search(insight)).toMatchObject({ cursor: "c", poll: null, status: "waiting" });
  });

  it("ends when the platform repeats a page under new tokens", async () => {
    let token = 0;
    const same = () => ({ postings: drafts(1, 2), nextPage: (token += 1), cursor: "c" });
    const platform = open(new FakePlatform(...Array.from({ length: 50 }, () => same)));
    await world.insight();
    await world.worker().pollNext();
    expect(platform.requests).toHaveLength(3);
  });

  it("reads on after followed sources that hold the same", async () => {
    const same = (nextPage: string) => ({ postings: drafts(1), nextPage });
    const platform = open(new FakePlatform(same("b"), same("c"), same("d"), { postings: drafts(2) }));
    platform.mode = "follow";
    const insight = await world.insight();
    await world.worker().pollNext();
    expect(await world.stored(insight)).toEqual(["s1", "s2"]);
  });

  it("ends at a page of known postings if the platform gives the newest first", async () => {
    const platform = open(new FakePlatform({ postings: drafts(1, 2), cursor: "c1" }));
    platform.newestFirst = true;
    await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    platform.then(
      { postings: drafts(3), nextPage: "p2", cursor: "c2" },
      { postings: drafts(2, 1), nextPage: "p3", cursor: "c2" },
    );
    await worker.pollNext();
    expect(platform.requests.map(({ pageToken }) => pageToken)).toEqual([null, null, "p2"]);
  });

  it("does not end at known postings before the gap that it fills", async () => {
    const platform = open(new FakePlatform({ postings: drafts(1), cursor: "c1" }));
    platform.newestFirst = true;
    const insight = await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    await world.pause(insight);
    world.time += INTERVAL_MS;
    await world.resume(insight);
    platform.then({ postings: drafts(1), nextPage: "p2", cursor: "c2" }, { postings: drafts(2), cursor: "c2" });
    await worker.pollNext();
    expect(await world.stored(insight)).toEqual(["s1", "s2"]);
  });

  it("leaves the rest to the next turn when it has read many pages", async () => {
    const pages = Array.from({ length: TURN_PAGES_MAX + 3 }, (_, index) => ({
      postings: drafts(index),
      nextPage: index < TURN_PAGES_MAX + 2 ? `p${index + 2}` : null,
      cursor: "end",
    }));
    const platform = open(new FakePlatform(...pages));
    const insight = await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    expect(platform.requests).toHaveLength(TURN_PAGES_MAX);
    expect(await world.search(insight)).toMatchObject({ status: "collecting", cursor: null });
    await worker.pollNext();
    expect(platform.requests).toHaveLength(TURN_PAGES_MAX + 3);
    expect(platform.requests[TURN_PAGES_MAX]?.pageToken).toBe(`p${TURN_PAGES_MAX + 1}`);
    expect(await world.search(insight)).toMatchObject({ status: "waiting", cursor: "end", poll: null });
    expect(await world.stored(insight)).toHaveLength(TURN_PAGES_MAX + 3);
  });

  it("counts a posting that cannot be read, and stores the others", async () => {
    const bad = { ...draft(1), postedAt: Number.NaN };
    open(new FakePlatform({ postings: [bad, draft(2)] }));
    const insight = await world.insight();
    await world.worker().pollNext();
    expect(await world.stored(insight)).toEqual(["s2"]);
    expect((await world.search(insight)).counts).toMatchObject({ fetched: 2, matched: 1, skipped: 1 });
  });

  it("happens once however many turns were missed", async () => {
    const platform = open(new FakePlatform());
    const insight = await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    world.time += 100 * INTERVAL_MS;
    expect(await worker.poll()).toBe(1);
    expect(platform.requests).toHaveLength(2);
    const { dueAt } = await world.search(insight);
    expect(dueAt).toBeGreaterThan(world.time);
    expect(dueAt).toBeLessThanOrEqual(world.time + 1.5 * INTERVAL_MS);
  });

  it("obeys the interval of the platform and its hints, unless the operator has set the interval", async () => {
    const platform = open(new FakePlatform({ hintNextAt: world.time + 4_000_000 }));
    platform.intervalMinMs = 1_000_000;
    const insight = await world.insight();
    await world.worker().pollNext();
    expect((await world.search(insight)).dueAt).toBeGreaterThanOrEqual(world.time + 3_900_000);
    world.cadence = { intervalMs: 10_000, isExplicit: true };
    platform.then({ hintNextAt: world.time + 9_000_000 });
    await world.worker().pollNext();
    expect((await world.search(insight)).dueAt).toBeLessThanOrEqual(world.time + 15_000);
  });

  it("never starts before the time that the platform permits", async () => {
    world.cadence = { intervalMs: 1000, isExplicit: true };
    const notBefore = world.time + 7_000_000;
    open(new FakePlatform({ notBefore }));
    const insight = await world.insight();
    await world.worker().pollNext();
    expect((await world.search(insight)).dueAt).toBeGreaterThanOrEqual(notBefore);
  });
});

describe("the turns of many searches", () => {
  it("are spread evenly over the interval, wherever they began", () => {
    const cadence = { intervalMs: 300_000, isExplicit: false };
    const turns = Array.from({ length: 3000 }, (_, index) =>
      nextPollAt(`${index}:twitter`, { cadence, connector: { intervalMinMs: 0 }, now: 0 }),
    );
    const perMinute = [0, 0, 0, 0, 0];
    for (const turn of turns) perMinute[Math.floor(turn / 60_000) % 5]! += 1;
    for (const count of perMinute) expect(Math.abs(count - 600)).toBeLessThan(100);
  });

  it("are as far apart as the interval once a search has its phase", () => {
    const options = { cadence: { intervalMs: 300_000, isExplicit: false }, connector: { intervalMinMs: 0 } };
    const first = nextPollAt("1:news", { ...options, now: 12_345_678 });
    expect(nextPollAt("1:news", { ...options, now: first + 900 })).toBe(first + 300_000);
  });
});

const PREVIEW = { sneakPeek: true };

describe("a preview", () => {
  let world: CollectorWorld;
  beforeEach(async () => {
    world = await CollectorWorld.open();
  });
  afterEach(() => world.close());
  const open = (connector: FakePlatform): FakePlatform => {
    world.platforms.set(PLATFORM, { connector });
    return connector;
  };
  const many = Array.from({ length: PREVIEW_POSTINGS + 5 }, (_, index) => index + 1);

  it("stores the newest postings of one page, once", async () => {
    const platform = open(new FakePlatform({ postings: drafts(...many), nextPage: "p2", cursor: "c" }));
    const insight = await world.insight({}, PREVIEW);
    const worker = world.worker();
    await worker.poll();
    expect(platform.requests).toHaveLength(1);
    expect(platform.requests[0]).toMatchObject({ limit: PREVIEW_POSTINGS, search: { preview: true } });
    expect(await world.stored(insight)).toEqual(many.slice(-PREVIEW_POSTINGS).map((number) => `s${number}`));
    expect(await world.search(insight)).toMatchObject({ outcome: "answered", dueAt: null, nextAt: null });
    expect(await world.collections.insights.get(insight.id)).toMatchObject({ dueAt: world.time });
    world.time += 86_400_000;
    expect(await worker.poll()).toBe(0);
  });

  it("reads all followed sources before it chooses the newest", async () => {
    const platform = open(
      new FakePlatform({ postings: drafts(...many), nextPage: "feed 2" }, { postings: drafts(99) }),
    );
    platform.mode = "follow";
    const insight = await world.insight({}, PREVIEW);
    await world.worker().poll();
    const stored = await world.stored(insight);
    expect(stored).toHaveLength(PREVIEW_POSTINGS);
    expect(stored.at(-1)).toBe("s99");
    expect(platform.requests).toHaveLength(2);
  });

  it("counts a posting that stands in several sources once", async () => {
    const platform = open(
      new FakePlatform({ postings: drafts(...many), nextPage: "feed 2" }, { postings: drafts(...many) }),
    );
    platform.mode = "follow";
    const insight = await world.insight({}, PREVIEW);
    await world.worker().poll();
    expect(await world.stored(insight)).toHaveLength(PREVIEW_POSTINGS);
  });

  it("has failed on a platform that never answers", async () => {
    const away = new PlatformError("temporary", "It is unavailable.");
    open(new FakePlatform(...Array.from({ length: PAGE_RETRY.attemptsMax }, () => away)));
    const insight = await world.insight({}, PREVIEW);
    const worker = world.worker();
    for (let attempt = 1; attempt < PAGE_RETRY.attemptsMax; attempt += 1) await worker.pollNext();
    expect(await world.search(insight)).toMatchObject({ outcome: null });
    await worker.pollNext();
    expect(await world.search(insight)).toMatchObject({ outcome: "failed", dueAt: null });
    expect(await world.collections.insights.get(insight.id)).toMatchObject({ dueAt: world.time });
  });

  it.each([
    ["rejects the credentials", new PlatformError("auth", "Set another token.")],
    ["refuses the query", new PlatformError("permanent", "The query is too long.")],
    ["has no budget until tomorrow", new PlatformError("budget", "Spent.", { retryAt: Date.UTC(2026, 10, 2) })],
  ])("has failed at once on a platform that %s", async (_, error) => {
    open(new FakePlatform(error));
    const insight = await world.insight({}, PREVIEW);
    await world.worker().poll();
    expect(await world.search(insight)).toMatchObject({ outcome: "failed", lastError: error.message, dueAt: null });
  });

  it("has failed on a platform that is not configured", async () => {
    world.platforms.set(PLATFORM, { missing: "Set TWITTER_BEARER_TOKEN." });
    const insight = await world.insight({}, PREVIEW);
    await world.worker().poll();
    expect(await world.search(insight)).toMatchObject({ outcome: "failed", status: "not_configured" });
    expect(await world.collections.insights.get(insight.id)).toMatchObject({ dueAt: world.time });
  });

  it("is due before everything else, and stays ended when it is paused and resumed", async () => {
    open(new FakePlatform());
    const insight = await world.insight({}, PREVIEW);
    expect((await world.search(insight)).dueAt).toBe(0);
    await world.worker().poll();
    await world.pause(insight);
    await world.resume(insight);
    expect(await world.search(insight)).toMatchObject({ dueAt: null, outcome: "answered" });
  });
});
