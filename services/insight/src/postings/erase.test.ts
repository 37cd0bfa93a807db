import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ErasePostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import type { Store } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InsightRecord } from "../store/records.js";
import { COMPANY, draft, PostingsWorld } from "./testing/postings-world.js";
import { eraseInsight, type ErasureOptions, PostingErasures } from "./erase.js";
import { PostingStore } from "./store.js";
import { sweepJobs } from "./sweep.js";

describe("erasing postings", () => {
  let world: PostingsWorld;
  beforeEach(async () => {
    world = await PostingsWorld.open();
  });
  afterEach(() => world.close());

  const erase = (
    request: MessageInitShape<typeof ErasePostingsRequestSchema>,
    {
      companyId = COMPANY,
      deps = {},
      userId,
    }: { companyId?: number; deps?: Partial<ErasureOptions>; userId?: number } = {},
  ) => {
    const { store, collections, tombstones, log, now } = world;
    const erasures = new PostingErasures({ store, collections, tombstones, log, now, ...deps });
    return erasures.erase(
      create(ErasePostingsRequestSchema, { platform: Platform.TWITTER, ...request }),
      companyId,
      userId,
    );
  };

  it("notes who asked for what kind of erasure, without what was erased", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1, { author: { id: "author-77" } })]);
    const lines: object[] = [];
    const log = { ...world.log, info: (fields: object) => lines.push(fields) } as unknown as ErasureOptions["log"];
    await erase({ authorId: "author-77" }, { deps: { log }, userId: 5 });
    expect(lines).toMatchObject([
      { companyId: COMPANY, userId: 5, platform: "twitter", by: "author_id" },
      { companyId: COMPANY, platform: "twitter", by: "author_id", deleted: 1 },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/author-77|s1|Kestrel/);
  });

  it("removes a posting from all searches of the company for good, and no other", async () => {
    const [one, other, foreign] = [await world.insight(), await world.insight(), await world.insight({ companyId: 1 })];
    for (const insight of [one, other, foreign]) await world.save(insight, [draft(1), draft(2)]);
    await world.save(one, [draft(1)], { platform: "news" });

    expect(await erase({ socialId: "s1" })).toEqual({ deleted: 2n });
    expect((await world.stored(one)).map(({ platform, socialId }) => [platform, socialId])).toEqual([
      ["news", "s1"],
      ["twitter", "s2"],
    ]);
    expect(await world.stored(foreign)).toHaveLength(2);
    expect(await world.collections.insights.get(other.id)).toMatchObject({ postings: 1 });
    expect(await world.collections.work.count({ insightId: other.id })).toBe(1);
    expect(await world.save(other, [draft(1), draft(2)])).toEqual({ stored: 0, duplicates: 1, erased: 1 });
    expect(await world.save(foreign, [draft(1)])).toMatchObject({ duplicates: 1 });
  });

  it("removes all postings of an author, also later ones", async () => {
    const insight = await world.insight();
    const by = (id: string) => ({ author: { id } });
    const many = Array.from({ length: 250 }, (_, number) => draft(number, by("ann")));
    await world.save(insight, [...many, draft(1_000, by("bob"))]);
    expect(await erase({ authorId: "ann" })).toEqual({ deleted: 250n });
    expect(await world.save(insight, [draft(2_000, by("ann"))])).toMatchObject({ stored: 0, erased: 1 });
    expect(await world.collections.insights.get(insight.id)).toMatchObject({ postings: 1 });
  });

  it("keeps no text, id or author of what was erased", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1)]);
    await erase({ socialId: "s1" });
    const left = [await world.collections.tombstones.find({}), await world.collections.erasures.find({})];
    expect(JSON.stringify(left)).not.toContain("s1");
    expect(left[1]).toEqual([]);
  });

  it("is kept until exports have followed it, if the company has any", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1), draft(2)]);
    await world.collections.exporting.put({ id: COMPANY });
    const pending = new PostingErasures(world);
    expect(await pending.listPending(COMPANY)).toEqual({ erasures: [] });
    await erase({ socialId: "s1" });
    await erase({ authorId: "ann" });
    const { erasures } = await pending.listPending(COMPANY);
    expect(erasures).toMatchObject([
      { platform: Platform.TWITTER, socialId: "s1" },
      { platform: Platform.TWITTER, authorId: "ann" },
    ]);
    expect(await pending.listPending(COMPANY + 1)).toEqual({ erasures: [] });
    const ids = erasures.map(({ id }) => id ?? 0n);
    await pending.endPending(ids, COMPANY + 1);
    expect((await pending.listPending(COMPANY)).erasures).toHaveLength(2);
    await pending.endPending(ids, COMPANY);
    expect(await world.collections.erasures.find({})).toEqual([]);
  });

  it("wins against a page in flight that read the tombstones before they were written", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(5)]);
    const { store, collections, tombstones, metrics, now } = world;
    let erased: { deleted: bigint } | undefined;
    // The whole erasure happens between the reads of the page and its commit.
    const late: Pick<Store, "commit"> = {
      commit: async (steps) => {
        erased ??= await erase({ socialId: "s1" });
        return store.commit(steps);
      },
    };
    const postingStore = new PostingStore({ store: late, collections, tombstones, metrics, now });
    const page = { insight, platform: "twitter", drafts: [draft(1), draft(2)], preview: false };
    expect(await postingStore.storePage(page)).toEqual({ stored: 1, duplicates: 0, erased: 1 });
    expect(erased).toEqual({ deleted: 0n });
    expect((await world.stored(insight)).map(({ socialId }) => socialId)).toEqual(["s2", "s5"]);
    expect(await collections.insights.get(insight.id)).toMatchObject({ postings: 2 });
  });

  it("is continued by the sweeper if its process ended in the middle", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1), draft(2)]);
    const { store } = world;
    let commits = 0;
    const failing: ErasureOptions["store"] = {
      nextId: (counter) => store.nextId(counter),
      commit: (steps) => (++commits === 2 ? Promise.reject(new Error("killed")) : store.commit(steps)),
    };
    await expect(erase({ socialId: "s1" }, { deps: { store: failing } })).rejects.toThrow("killed");
    expect(await world.save(insight, [draft(1)])).toMatchObject({ erased: 1 });
    world.time += 60_000;
    const sweeper = sweepJobs({ ...world.sweeping, everyMs: 5 }).start();
    await expect.poll(() => world.collections.erasures.count({})).toBe(0);
    await sweeper.stop(1_000);
    expect((await world.stored(insight)).map(({ socialId }) => socialId)).toEqual(["s2"]);
  });
});

describe("erasing what is gone upstream", () => {
  let world: PostingsWorld;
  beforeEach(async () => {
    world = await PostingsWorld.open();
  });
  afterEach(() => world.close());

  it("reaches exports as any erasure does, one for each posting that was stored", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1), draft(2), draft(3)]);
    await world.collections.exporting.put({ id: COMPANY });
    const { store, collections, tombstones, log, now } = world;
    const erasures = new PostingErasures({ store, collections, tombstones, log, now });
    const gone = { companyId: COMPANY, platform: "twitter", socialIds: ["s1", "s2", "s2", "s9"] };
    expect([await erasures.eraseGone(gone), await erasures.eraseGone(gone)]).toEqual([2, 0]);
    const { erasures: pending } = await erasures.listPending(COMPANY);
    expect(pending.map(({ socialId }) => socialId).sort()).toEqual(["s1", "s2"]);
    expect(await collections.insights.get(insight.id)).toMatchObject({ postings: 1 });
  });
});

describe("erasing an insight", () => {
  let world: PostingsWorld;
  let doomed: InsightRecord;

  beforeEach(async () => {
    world = await PostingsWorld.open();
    doomed = await world.insight();
    await world.save(
      doomed,
      Array.from({ length: 500 }, (_, number) => draft(number)),
    );
    await world.collections.insights.update({ id: doomed.id }, { set: { status: "deleted" } });
  });
  afterEach(() => world.close());

  /** What is left after each part of the erasure. */
  async function leftAfterParts(): Promise<{ work: number; postings: number }[]> {
    const { work, postings } = world.collections;
    const left: { work: number; postings: number }[] = [];
    await eraseInsight(world, doomed, async () => {
      const insightId = doomed.id;
      left.push({ work: await work.count({ insightId }), postings: await postings.count({ insightId }) });
      return true;
    });
    return left;
  }

  it("erases analyses that wait before any posting, so that those of other insights need not wait for them", async () => {
    const left = await leftAfterParts();
    expect(left.length).toBeGreaterThan(3);
    expect(left.filter(({ work, postings }) => work > 0 && postings < 500)).toEqual([]);
    expect(await world.stored(doomed)).toEqual([]);
  });

  it("continues where it was interrupted", async () => {
    let parts = 0;
    for (;;) {
      parts += 1;
      if (await eraseInsight(world, doomed, () => Promise.resolve(false))) break;
    }
    expect(parts).toBeGreaterThan(3);
    expect(await world.collections.work.count({})).toBe(0);
    expect(await world.collections.insights.get(doomed.id)).toBeUndefined();
  });
});
