import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCoverage } from "../coverage.js";
import { PlatformError } from "../platforms/connector.js";
import type { InsightRecord } from "../store/records.js";
import { PAGE_RETRY, TURN_PAGES_MAX } from "./schedule-policy.js";
import { CollectorWorld, drafts, INTERVAL_MS, PLATFORM } from "./testing/collector-world.js";
import { FakePlatform } from "./testing/fake-platform.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AWAY = new PlatformError("temporary", "It is unavailable.");

describe("the coverage of an insight", () => {
  let world: CollectorWorld;
  beforeEach(async () => {
    world = await CollectorWorld.open();
  });
  afterEach(() => world.close());
  const open = (connector: FakePlatform): FakePlatform => {
    world.platforms.set(PLATFORM, { connector });
    return connector;
  };

  /** From `start` until now, as `hours: completeness reasons`. */
  const spans = async ({ id }: InsightRecord, start: number): Promise<string[]> => {
    const insight = (await world.collections.insights.get(id))!;
    const { searches } = world.collections;
    const [platform] = await readCoverage({ searches, now: world.now }, insight, { start, end: world.time });
    const found = platform?.spans ?? [];
    expect(found[0]?.from).toBe(start);
    expect(found.at(-1)?.to).toBe(world.time);
    return found.map(({ from, to, completeness, reasons }) =>
      [`${Math.round((to - from) / HOUR)}h`, completeness, ...reasons].join(" "),
    );
  };

  it("is pending before the first poll, and complete after it as far as it looked back", async () => {
    open(new FakePlatform());
    const insight = await world.insight();
    const created = world.time;
    world.time += HOUR;
    expect(await spans(insight, created)).toEqual(["1h unknown pending"]);
    await world.worker().poll();
    expect(await spans(insight, world.time - 8 * DAY)).toEqual(["24h unknown before_window", "168h complete"]);
  });

  it("tells of the time after now that it is pending", async () => {
    open(new FakePlatform());
    const insight = await world.insight();
    await world.worker().pollNext();
    const { searches } = world.collections;
    const range = { start: world.time, end: world.time + HOUR };
    const [platform] = await readCoverage({ searches, now: world.now }, insight, range);
    expect(platform?.spans).toEqual([
      { from: range.start, to: range.end, completeness: "unknown", reasons: ["pending"] },
    ]);
  });

  it("names an outage, and has none once the platform answers again", async () => {
    const platform = open(new FakePlatform());
    const insight = await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    const start = world.time;
    platform.then(...Array.from({ length: PAGE_RETRY.attemptsMax }, () => AWAY));
    for (let attempt = 0; attempt < PAGE_RETRY.attemptsMax; attempt += 1) await worker.pollNext();
    world.time += 2 * HOUR;
    expect(await spans(insight, start)).toEqual(["2h unknown outage"]);
    await worker.poll();
    expect(await spans(insight, start)).toEqual(["2h complete"]);
    expect(platform.requests.at(-1)?.since).toBeLessThanOrEqual(start);
  });

  it("names a pause, which is filled as far as the platform's window allows", async () => {
    const platform = open(new FakePlatform());
    platform.lookBackMs = DAY;
    const insight = await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    const start = world.time;
    await world.pause(insight);
    world.time += 3 * DAY;
    expect(await spans(insight, start)).toEqual(["72h unknown pause"]);
    await world.resume(insight);
    await worker.pollNext();
    expect(await spans(insight, start)).toEqual(["48h unknown pause", "24h complete"]);
    expect(platform.requests.at(-1)?.cursor).toBeNull();
  });

  it("is thin until all pages of a poll are read", async () => {
    const page = (number: number) => ({ postings: drafts(number), nextPage: number });
    const platform = open(new FakePlatform(...Array.from({ length: TURN_PAGES_MAX }, (_, index) => page(index))));
    platform.lookBackMs = DAY;
    const insight = await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    const start = world.time - DAY;
    expect(await spans(insight, start)).toEqual(["24h thin page_limit"]);
    await worker.pollNext();
    expect((await spans(insight, start))[0]).toBe("24h complete");
  });

  it.each(["a pause", "a refusal"])("starts a poll whose pages were not all read again after %s", async (event) => {
    const platform = open(new FakePlatform({}));
    const insight = await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    const start = world.time;
    world.time += 5 * HOUR;
    platform.then(
      ...Array.from({ length: TURN_PAGES_MAX }, (_, number) => ({ nextPage: number, postings: drafts(number) })),
    );
    await worker.poll();
    const since = platform.requests.at(-1)!.since;
    if (event === "a pause") {
      await world.pause(insight);
      await world.resume(insight);
    } else {
      platform.then(new PlatformError("permanent", "The token has expired."));
      await worker.pollNext();
      expect((await spans(insight, start))[0]).toBe("5h unknown outage");
    }
    await worker.pollNext();
    expect(platform.requests.at(-1)).toMatchObject({ pageToken: null });
    expect(platform.requests.at(-1)!.since).toBeLessThanOrEqual(since);
    expect((await spans(insight, start))[0]).toMatch(/^\d+h complete$/);
  });

  it("is thin where the platform says that it missed something, until a later poll fills that", async () => {
    const platform = open(new FakePlatform());
    platform.lookBackMs = DAY;
    const insight = await world.insight();
    const worker = world.worker();
    const begun = world.time + 1000;
    const gap = { from: begun - 20 * HOUR, to: begun - 18 * HOUR, reason: "outage" as const };
    platform.then({ gaps: [gap], cursor: "c1" });
    await worker.pollNext();
    const start = world.time - DAY;
    expect((await spans(insight, start))[1]).toBe("2h thin outage");
    await worker.pollNext();
    expect(platform.requests[1]).toMatchObject({ cursor: null, since: gap.from - 600_000 });
    expect((await spans(insight, start))[0]).toBe("24h complete");
    await worker.pollNext();
    expect(platform.requests[2]?.since).toBeGreaterThan(world.time - 2 * INTERVAL_MS - 600_000);
  });

  it("does not try to fill a gap at every poll", async () => {
    const platform = open(new FakePlatform());
    const insight = await world.insight();
    const worker = world.worker();
    const dead = () => ({
      gaps: [{ from: world.time - HOUR, to: world.time, reason: "outage" as const }],
      cursor: "c",
    });
    platform.then(...Array.from({ length: 8 }, () => dead));
    for (let turn = 0; turn < 8; turn += 1) await worker.pollNext();
    const filled = platform.requests.slice(1).filter(({ cursor }) => cursor === null);
    expect(filled).toHaveLength(1);
    expect((await world.search(insight)).status).toBe("waiting");
  });

  it("names a spent budget and a platform that is not configured", async () => {
    const platform = open(new FakePlatform());
    const insight = await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    const start = world.time;
    platform.then(new PlatformError("budget", "Spent.", { retryAt: world.time + DAY }));
    await worker.pollNext();
    world.time = start + 10 * HOUR;
    expect(await spans(insight, start)).toEqual(["10h unknown budget"]);
    world.platforms.set(PLATFORM, { missing: "Set a token." });
    world.time = start + 30 * HOUR;
    await worker.poll();
    expect(await spans(insight, start)).toEqual(["30h unknown budget"]);
    world.time = start + 40 * HOUR;
    expect(await spans(insight, start)).toEqual(["30h unknown budget", "10h unknown not_configured"]);
  });

  it("of a preview is thin", async () => {
    open(new FakePlatform({ postings: drafts(1) }));
    const insight = await world.insight({}, { sneakPeek: true });
    await world.worker().poll();
    const start = world.time - DAY;
    world.time += HOUR;
    expect(await spans(insight, start)).toEqual(["24h thin preview", "1h unknown preview"]);
  });
});
