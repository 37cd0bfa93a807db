import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PlatformError } from "../platforms/connector.js";
import { ATTEMPTS_MAX, PREVIEW_POSTINGS } from "./pace/policy.js";
import { CollectWorld, PLATFORM } from "./testing/collect-world.js";
import { drafts } from "./testing/drafts.js";
import { FakePlatform } from "./testing/fake-platform.js";

const PREVIEW = { sneakPeek: true };

describe("a preview", () => {
  let world: CollectWorld;
  beforeEach(async () => {
    world = await CollectWorld.open();
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
    const away = new PlatformError("temporary", "It is away.");
    open(new FakePlatform(...Array.from({ length: ATTEMPTS_MAX }, () => away)));
    const insight = await world.insight({}, PREVIEW);
    const worker = world.worker();
    for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt += 1) await worker.pollNext();
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
