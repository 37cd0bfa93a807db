import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Connector, Page } from "../connector.js";
import { RETENTION } from "./store/feed-store.js";
import { HOUR, NewsWorld, Poller } from "./testing/news-world.js";
import { feedOf } from "./testing/ships.js";

let world: NewsWorld;
let connector: Connector;

beforeEach(async () => {
  world = await NewsWorld.open();
  connector = await world.connector();
});
afterEach(() => world.close());

const BEGIN = Date.UTC(2026, 10, 22, 12);

async function gapsOfPoll(poller: Poller): Promise<NonNullable<Page["gaps"]>> {
  return (await poller.poll()).flatMap(({ gaps = [] }) => gaps);
}

describe("a search", () => {
  it("is told that items are missing which are older than those of a feed's first document", async () => {
    const feed = world.server.serve("/a", { body: feedOf(2, 1) });
    const poller = new Poller(world, connector, [feed]);
    const [gap, ...others] = await gapsOfPoll(poller);
    expect(gap).toMatchObject({ to: BEGIN - HOUR + 1000, reason: "before_window" });
    expect(others).toEqual([]);
    world.server.serve("/a", { body: feedOf(3, 2) });
    world.time += HOUR;
    expect(await gapsOfPoll(poller)).toMatchObject([{ to: gap?.to, reason: "before_window" }]);
    world.server.serve("/a", { body: feedOf(9, 8) });
    world.time += HOUR;
    expect(await gapsOfPoll(poller)).toMatchObject([{ to: BEGIN - HOUR + 8000, reason: "before_window" }]);
  });

  it("is told what it missed of a feed that had more items since its last poll than are kept", async () => {
    const page = (first: number) => feedOf(...Array.from({ length: 999 }, (_, index) => first + 999 - index), 0);
    const feed = world.server.serve("/a", { body: page(0) });
    const [slow, quick] = [new Poller(world, connector, [feed]), new Poller(world, connector, [feed])];
    await slow.poll();
    for (let first = 1000; first <= RETENTION.itemsMax + 1000; first += 1000) {
      world.server.serve("/a", { body: page(first) });
      world.time += HOUR;
      expect(await gapsOfPoll(quick)).not.toContainEqual(expect.objectContaining({ reason: "page_limit" }));
    }
    const missed = (await gapsOfPoll(slow)).filter(({ reason }) => reason === "page_limit");
    expect(missed).not.toEqual([]);
    expect(await gapsOfPoll(slow)).not.toContainEqual(missed[0]);
  });

  it("is told that a document with too many entries may lack the newest, if it states the oldest first", async () => {
    const numbers = Array.from({ length: 1001 }, (_, index) => index);
    const feed = world.server.serve("/a", { body: feedOf(...numbers) });
    expect(await gapsOfPoll(new Poller(world, connector, [feed]))).toContainEqual(
      expect.objectContaining({ to: world.time, reason: "page_limit" }),
    );
    const other = world.server.serve("/b", { body: feedOf(...numbers.reverse()) });
    expect(await gapsOfPoll(new Poller(world, connector, [other]))).not.toContainEqual(
      expect.objectContaining({ reason: "page_limit" }),
    );
  });

  it("is told since when a feed could not be read, although others can", async () => {
    const feeds = [world.server.serve("/a", { body: feedOf(1) }), world.server.serve("/b", { body: feedOf(2) })];
    const poller = new Poller(world, connector, feeds);
    await poller.poll();
    const readAt = world.time;
    world.server.serve("/b", { status: 500 });
    world.time += HOUR;
    expect(await gapsOfPoll(poller)).toContainEqual({ from: readAt, to: world.time, reason: "outage" });
  });
});
