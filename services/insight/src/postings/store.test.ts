import { insertStep, updateStep } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InsightRecord } from "../store/records.js";
import { COMPANY, draft, PostingsWorld } from "./testing/postings-world.js";
import { PostingStore } from "./store.js";

describe("storing postings", () => {
  let world: PostingsWorld;
  beforeEach(async () => {
    world = await PostingsWorld.open();
  });
  afterEach(() => world.close());

  it("stores a page once, however often it is seen, and merges what repeats within it", async () => {
    const insight = await world.insight();
    expect(await world.save(insight, [draft(1), draft(2), draft(1)])).toEqual({ stored: 2, duplicates: 1, erased: 0 });
    expect(await world.save(insight, [draft(2), draft(3)])).toEqual({ stored: 1, duplicates: 1, erased: 0 });

    const stored = await world.stored(insight);
    expect(stored.map(({ socialId, batch }) => [socialId, batch])).toEqual([
      ["s1", 1],
      ["s2", 1],
      ["s3", 2],
    ]);
    expect(await world.collections.insights.get(insight.id)).toMatchObject({ postings: 3, batch: 2 });
    expect(await world.collections.work.count({ insightId: insight.id })).toBe(3);
  });

  it("shares the event loop with requests page by page, except where somebody waits for a preview", async () => {
    const { store, collections, tombstones, metrics, now } = world;
    let pieces = 0;
    const share = {
      run: <T>(work: () => Promise<T>) => {
        pieces += 1;
        return work();
      },
    };
    const postingStore = new PostingStore({ store, collections, tombstones, metrics, now, share });
    const insight = await world.insight();
    const save = (number: number, preview: boolean) =>
      postingStore.storePage({ insight, platform: "twitter", drafts: [draft(number)], preview });
    await save(1, true);
    expect(pieces).toBe(0);
    await save(2, false);
    await save(3, false);
    expect(pieces).toBe(2);
    expect(await world.stored(insight)).toHaveLength(3);
  });

  it("recognizes a posting without an id by its URL, else by author, time and text", async () => {
    const insight = await world.insight();
    const byUrl = draft(1, { socialId: undefined, url: "https://example.com/1" } as never);
    const byText = { postedAt: 5, text: "Kestrel", author: { username: "ann" } };
    await world.save(insight, [byUrl, byText]);

    const again = [{ ...byUrl, text: "edited" }, byText, { ...byText, author: { username: "bob" } }];
    expect(await world.save(insight, again)).toEqual({ stored: 1, duplicates: 2, erased: 0 });
  });

  it("tells apart postings with the same id that is unique within its scope only", async () => {
    const insight = await world.insight();
    const drafts = ["a.example", "b.example", undefined].map((socialIdScope) => ({
      ...draft(1),
      ...{ socialIdScope },
    }));
    expect(await world.save(insight, drafts as never)).toMatchObject({ stored: 3 });
    expect(await world.save(insight, drafts as never)).toMatchObject({ stored: 0, duplicates: 3 });
  });

  it("keeps no text that is only matched", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1, { matchText: "The whole article" })]);
    expect((await world.stored(insight))[0]?.content).not.toHaveProperty("matchText");
  });

  it("lets every one of many concurrent writers store its postings exactly once", async () => {
    const insight = await world.insight();
    const pages = Array.from({ length: 12 }, (_, page) => [draft(page), draft(page + 1), draft(100)]);
    const outcomes = await Promise.all(pages.map((page) => world.save(insight, page)));

    expect(outcomes.reduce((sum, outcome) => sum + (outcome?.stored ?? 0), 0)).toBe(14);
    expect(await world.stored(insight)).toHaveLength(14);
    expect(await world.collections.insights.get(insight.id)).toMatchObject({ postings: 14 });
  });

  it("stores pages one after the other, those of previews first, and companies round-robin", async () => {
    const order: string[] = [];
    const store = (name: string, insight: InsightRecord, { preview = false } = {}) => {
      const drafts = [draft(order.length, { socialId: name })];
      const alongside = () => (order.push(name), []);
      return world.storePostings({ insight, platform: "twitter", drafts, preview, alongside });
    };
    const [busy, other] = [await world.insight({ companyId: 1 }), await world.insight({ companyId: 2 })];
    await Promise.all([
      ...["busy 1", "busy 2", "busy 3", "busy 4"].map((name) => store(name, busy)),
      store("other", other),
      store("preview", busy, { preview: true }),
    ]);
    expect(order).toEqual(["busy 1", "preview", "busy 2", "other", "busy 3", "busy 4"]);
  });

  it("stores nothing for work that began before a pause, not even if the insight was resumed since", async () => {
    const insight = await world.insight();
    await world.collections.insights.update({ id: insight.id }, { set: { status: "paused", epoch: 2 } });
    expect(await world.save(insight, [draft(1)])).toBeUndefined();
    await world.collections.insights.update({ id: insight.id }, { set: { status: "running", epoch: 3 } });
    expect(await world.save(insight, [draft(1)])).toBeUndefined();
    expect(await world.save({ ...insight, epoch: 3 }, [draft(1)])).toMatchObject({ stored: 1 });
  });

  it("does not refresh a known posting for an insight that was paused", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1, { counts: { like_count: 1 } })]);
    await world.collections.insights.update({ id: insight.id }, { set: { status: "paused", epoch: 2 } });
    expect(await world.save(insight, [draft(1, { counts: { like_count: 2 } })])).toBeUndefined();
    expect((await world.stored(insight))[0]?.content.counts).toEqual({ like_count: 1 });
  });

  it("commits a page together with the further writes of its caller, or not at all", async () => {
    const { collections, storePostings, time } = world;
    const insight = await world.insight();
    const request = { insight, platform: "twitter", drafts: [draft(1)], preview: false };
    const stored = await storePostings({
      ...request,
      alongside: ({ stored: count }) => [
        insertStep(collections.tombstones, { id: `stored ${count}`, companyId: COMPANY, erasedAt: time }),
      ],
    });
    expect(stored).toMatchObject({ stored: 1 });
    expect(await collections.tombstones.get("stored 1")).toBeDefined();

    const impossible = updateStep(collections.tombstones, { id: "missing" }, { set: { erasedAt: 1 } });
    expect(await storePostings({ ...request, drafts: [draft(2)], alongside: () => [impossible] })).toBeUndefined();
    expect(await world.stored(insight)).toHaveLength(1);
  });

  it("keeps the first-seen time and what a later copy does not state", async () => {
    const insight = await world.insight();
    const first = draft(1, { counts: { like_count: 3, share_count: 1 }, place: { fullName: "Leeds" } });
    await world.save(insight, [first]);
    const storedAt = world.time;
    world.time += 1_000;
    await world.save(insight, [draft(1, { counts: { like_count: 9 }, postedAt: 1 })]);

    expect((await world.stored(insight))[0]).toMatchObject({
      storedAt,
      seenAt: world.time,
      postedAt: first.postedAt,
      version: 1,
      content: { counts: { like_count: 9, share_count: 1 }, place: { fullName: "Leeds" } },
    });
    expect(await world.collections.insights.get(insight.id)).toMatchObject({ batch: 1 });
  });

  it("has a posting analyzed again when its text or media change", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1), draft(2), draft(3)]);
    await world.collections.work.delete({ insightId: insight.id });
    await world.save(insight, [
      draft(1, { text: "edited" }),
      draft(2, { media: ["https://example.com/a.png"] }),
      draft(3),
    ]);

    const work = await world.collections.work.find({ insightId: insight.id });
    expect(work.map(({ version, batch }) => [version, batch])).toEqual([
      [2, 1],
      [2, 1],
    ]);
    expect((await world.stored(insight)).map(({ version }) => version)).toEqual([2, 2, 1]);
  });

  it("cuts a text to 100,000 characters and says so", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1, { text: "🐦".repeat(100_001) })]);
    const [posting] = await world.stored(insight);
    expect(Array.from(posting?.content.text ?? "")).toHaveLength(100_000);
    expect(posting?.content.moreInfo).toEqual({ text_cut_at: 100_000 });
  });

  it("takes tags and mentions from the text if the platform gives none", async () => {
    const insight = await world.insight();
    const text = "#Kestrel and #kestrel by @ann.lee, not me@example.com, not #1 nor https://example.com/#top: #鳥";
    await world.save(insight, [draft(1, { text }), draft(2, { text, tags: ["own"], taggedUsers: ["bob"] })]);

    const [found, given] = await world.stored(insight);
    expect(found?.content).toMatchObject({ tags: ["Kestrel", "鳥"], taggedUsers: ["ann.lee"] });
    expect(given?.content).toMatchObject({ tags: ["own"], taggedUsers: ["bob"] });
  });

  it("flags a posting that is dated more than a day ahead", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1, { postedAt: world.time + 2 * 86_400_000 })]);
    expect((await world.stored(insight))[0]?.content.moreInfo).toEqual({ posted_in_the_future: true });
  });
});
