import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EVERYWHERE } from "../platforms/places.js";
import { parseQuery } from "../query/parser.js";
import { planInsight, shownState } from "./searches.js";
import { CollectorWorld, drafts, killedAt, PLATFORM } from "./testing/collector-world.js";
import { FakePlatform, TimelinePlatform } from "./testing/fake-platform.js";

describe("the state of a search", () => {
  let world: CollectorWorld;
  beforeEach(async () => {
    world = await CollectorWorld.open();
    const connector = new TimelinePlatform();
    connector.postings.push(...drafts(1, 2, 3));
    world.platforms.set(PLATFORM, { connector });
  });
  afterEach(() => world.close());

  it("is collecting from when a poll is due until its last page, then waiting", async () => {
    const insight = await world.insight();
    world.time += 1000;
    const state = async () => shownState(await world.search(insight), world.time).status;
    expect(await state()).toBe("collecting");
    await expect(world.worker(killedAt("collector.before_fetch", 2)).poll()).rejects.toThrow("killed");
    expect(await state()).toBe("collecting");
    await world.worker().pollNext();
    expect(await state()).toBe("waiting");
  });

  it("is waiting without a next poll while the insight is paused", async () => {
    const insight = await world.insight();
    world.time += 1000;
    await expect(world.worker(killedAt("collector.before_fetch", 2)).poll()).rejects.toThrow("killed");
    await world.pause(insight);
    expect(shownState(await world.search(insight), world.time)).toMatchObject({ status: "waiting", nextAt: null });
  });
});

describe("the plan of an insight", () => {
  it("tells for each platform what would be asked, or what is missing", async () => {
    const world = await CollectorWorld.open();
    const platforms = ["twitter", "news"];
    const { query } = await world.insight({}, { platforms });
    world.platforms.set("twitter", { connector: new FakePlatform() }).set("news", { missing: "Set NEWS_FEEDS." });
    const common = { queries: ["kestrel"], narrowedLocally: false, cost: "1 request", warnings: [] };
    const missing = { queries: [], narrowedLocally: false, cost: "", warnings: ["Set NEWS_FEEDS."] };
    const meant = { keywords: parseQuery(query.keywords), places: EVERYWHERE };
    expect(planInsight(query, meant, world.platforms)).toEqual([
      { platform: "twitter", status: "waiting", mode: "search", ...common },
      { platform: "news", status: "not_configured", mode: "import", ...missing },
    ]);
    await world.close();
  });
});
