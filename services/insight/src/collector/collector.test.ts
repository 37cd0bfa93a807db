import type { Stoppable } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { InsightRecord } from "../store/records.js";
import { collectorJobs, type CollectorOptions } from "./collector.js";
import { newSearch } from "./searches.js";
import { CollectorWorld, drafts, PLATFORM } from "./testing/collector-world.js";
import { FakePlatform } from "./testing/fake-platform.js";

const following = (feed: string) => ({ feeds: [feed], subreddits: [], pages: [], organisations: [] });

describe("a collector", () => {
  let world: CollectorWorld;
  const stops: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    world = await CollectorWorld.open();
  });
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    await world.close();
  });
  const start = (options: CollectorOptions = {}): Stoppable => {
    const collector = collectorJobs({ ...world.deps(), queue: world.queue }, { checkEveryMs: 10, ...options }).start();
    stops.push(() => collector.stop(2000));
    return collector;
  };

  /** A platform that notes which insights it is asked for, by what they follow. */
  const noting = (): { asked: string[]; connector: FakePlatform } => {
    const asked: string[] = [];
    const connector = new FakePlatform();
    const answer = connector.fetchPage.bind(connector);
    connector.fetchPage = (request) => {
      asked.push(...request.search.follow.feeds);
      return answer(request);
    };
    world.platforms.set(PLATFORM, { connector });
    return { asked, connector };
  };

  it("polls an insight that is created while it runs", async () => {
    world.platforms.set(PLATFORM, { connector: new FakePlatform({ postings: drafts(1) }) });
    start();
    const insight = await world.insight();
    world.time += 1000;
    await vi.waitFor(async () => expect(await world.stored(insight)).toEqual(["s1"]));
  });

  it("shares its polls between companies, previews first, though a thousand are due", async () => {
    const { asked } = noting();
    const { insights, searches } = world.collections;
    const add = async (id: number, companyId: number, sneakPeek = false): Promise<void> => {
      const record = await world.insight({ id, companyId }, { follow: following(`company ${companyId}`), sneakPeek });
      expect(record.id).toBe(id);
    };
    await add(1, 1);
    const first = (await insights.get(1))!;
    const others = Array.from({ length: 999 }, (_, index): InsightRecord => ({ ...first, id: index + 10 }));
    await insights.insertMany(others);
    await searches.insertMany(others.map((other) => newSearch(other, PLATFORM, { now: world.time })));
    world.time += 1000;
    await add(2000, 2);
    await add(2001, 3);
    await add(2002, 4, true);
    world.time += 1000;
    start({ concurrency: 1 });
    await vi.waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(4));
    expect(asked[0]).toBe("company 4");
    expect(asked.slice(1, 4).sort()).toEqual(["company 1", "company 2", "company 3"]);
  });

  it("polls in a free place while another one waits for a platform", async () => {
    const slow = new FakePlatform(() => new Promise<never>(() => undefined));
    world.platforms.set("slow", { connector: slow });
    const { asked } = noting();
    await world.insight({}, { platforms: ["slow"] });
    world.time += 1000;
    const collector = start({ concurrency: 2 });
    await vi.waitFor(() => expect(slow.requests).toHaveLength(1));
    for (let each = 0; each < 3; each += 1) await world.insight({}, { follow: following("here") });
    world.time += 1000;
    await vi.waitFor(() => expect(asked).toEqual(["here", "here", "here"]));
    await collector.stop(20);
    expect(slow.requests[0]?.signal.aborted).toBe(true);
  });

  it("starts what waited for the configuration that it has now", async () => {
    world.platforms.set(PLATFORM, { missing: "Set a token." });
    const insight = await world.insight();
    await world.worker().pollNext();
    world.platforms.set(PLATFORM, { connector: new FakePlatform({ postings: drafts(1) }) });
    start();
    await vi.waitFor(async () => expect(await world.stored(insight)).toEqual(["s1"]));
  });
});
