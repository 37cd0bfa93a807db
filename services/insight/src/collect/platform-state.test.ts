import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { shownState } from "./search/platform-state.js";
import { CollectWorld, killedAt, PLATFORM } from "./testing/collect-world.js";
import { drafts } from "./testing/drafts.js";
import { TimelinePlatform } from "./testing/fake-platform.js";

describe("the state of a search", () => {
  let world: CollectWorld;
  beforeEach(async () => {
    world = await CollectWorld.open();
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
