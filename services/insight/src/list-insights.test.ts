import type { AppError } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeInsight } from "./change-insight.js";
import { CollectorWorld, drafts, PLATFORM } from "./collector/testing/collector-world.js";
import { FakePlatform } from "./collector/testing/fake-platform.js";
import { Insights, type WantedInsights } from "./insights.js";

const COMPANY = 7;

describe("a list of insights", () => {
  let world: CollectorWorld;
  let insights: Insights;
  beforeEach(async () => {
    world = await CollectorWorld.open();
    world.platforms.set(PLATFORM, { connector: new FakePlatform() });
    insights = new Insights(world);
  });
  afterEach(() => world.close());

  /** Creates insights with these names, the empty one for none; each an hour after the one before. */
  async function create(...names: string[]): Promise<number[]> {
    const ids: number[] = [];
    for (const name of names) {
      const query = { ...(await world.insight()).query, keywords: `Osprey ${ids.length}` };
      const { id } = await insights.create({ companyId: COMPANY, query, idempotencyKey: "", name });
      ids.push(id);
      world.time += 3_600_000;
    }
    await world.collections.insights.delete({ terms: "kestrel" });
    return ids;
  }

  /** Ids of all pages. */
  async function listed(
    wanted: Partial<WantedInsights>,
    limit = 2,
    between = (): Promise<unknown> => Promise.resolve(),
  ) {
    const ids: number[] = [];
    for (let cursor = ""; ;) {
      const { records, nextCursor } = await insights.list(COMPANY, { q: "", ...wanted }, { limit, cursor });
      ids.push(...records.map(({ insight }) => insight.id));
      if (nextCursor === "") return ids;
      cursor = nextCursor;
      await between();
    }
  }

  const store = (id: number, ...numbers: number[]) =>
    world.storePostings({
      insight: { id, companyId: COMPANY, epoch: 1 },
      platform: PLATFORM,
      drafts: drafts(...numbers),
      preview: false,
    });

  it("can be of some metadata, in any order and with cursors of its own", async () => {
    const query = (await world.insight()).query;
    const make = async (name: string, metadata: [string, string][]) =>
      (await insights.create({ companyId: COMPANY, query, idempotencyKey: "", name, metadata })).id;
    const bee = await make("bee", [
      ["a", "1"],
      ["b", "2"],
    ]);
    const ant = await make("ant", [["a", "1"]]);
    const cat = await make("cat", [
      ["a", "1"],
      ["b", "2"],
    ]);
    expect(await listed({ metadata: [["a", "1"]], sort: "name" })).toEqual([ant, bee, cat]);
    expect(
      await listed(
        {
          metadata: [
            ["a", "1"],
            ["b", "2"],
          ],
        },
        1,
      ),
    ).toEqual([cat, bee]);
    expect(await listed({ metadata: [["a", "1"]], q: "BEE" })).toEqual([bee]);
    await changeInsight(world, { id: cat, companyId: COMPANY }, { metadata: [["b", "2"]] });
    await changeInsight(world, { id: bee, companyId: COMPANY }, { metadata: [] });
    expect(await listed({ metadata: [["b", "2"]] })).toEqual([cat]);
    const page = { limit: 1, cursor: "" };
    const { nextCursor: cursor } = await insights.list(COMPANY, { q: "", metadata: [["a", "1"]] }, page);
    await make("dog", [["a", "1"]]);
    const { nextCursor } = await insights.list(COMPANY, { q: "", metadata: [["a", "1"]] }, page);
    expect([cursor, nextCursor === ""]).toEqual(["", false]);
    await expect(insights.list(COMPANY, { q: "" }, { ...page, cursor: nextCursor })).rejects.toMatchObject({
      violations: [{ field: "cursor" }],
    });
  });

  it("of a changed insight is made on what the change before has left", async () => {
    const { id } = await world.insight();
    const change = (metadata: [string, string][]) => changeInsight(world, { id, companyId: COMPANY }, { metadata });
    const both = await Promise.all([change([["a", "1"]]), change([["b", "2"]])]);
    const found = await world.collections.insights.get(id);
    expect(both.map(({ metadata }) => metadata)).toContain(found?.metadata);
    expect(both.map(({ version }) => version)).toEqual([undefined, undefined]);
  });

  it("is sorted by name without case and accents, or by the terms of those without one", async () => {
    const [zebra, none, eagle, owl, adler] = await create("zebra", "", "Éagle", "«owl»", "ADLER");
    expect(await listed({ sort: "name" })).toEqual([adler, eagle, none, owl, zebra]);
    expect(await listed({ sort: "name", ascending: false })).toEqual([zebra, owl, none, eagle, adler]);
    await changeInsight(world, { id: zebra!, companyId: COMPANY }, { name: "bee" });
    await changeInsight(world, { id: none!, companyId: COMPANY }, { query: { keywords: "aardvark" } });
    expect(await listed({ sort: "name" })).toEqual([none, adler, zebra, eagle, owl]);
  });

  it("is sorted by postings and by when one was last stored; those without come last", async () => {
    const [first, second, third, fourth] = await create("a", "b", "c", "d");
    await store(second!, 1, 2);
    world.time += 1000;
    await store(fourth!, 1, 2, 3);
    world.time += 1000;
    await store(first!, 1);
    expect(await listed({ sort: "postings" })).toEqual([fourth, second, first, third]);
    expect(await listed({ sort: "activity" })).toEqual([first, fourth, second, third]);
    expect(await listed({ sort: "activity", ascending: true })).toEqual([third, second, fourth, first]);
    world.time += 1000;
    await store(second!, 1, 2);
    expect(await listed({ sort: "activity" })).toEqual([first, fourth, second, third]);
  });

  it("is sorted by creation, equal ones too", async () => {
    const ids = await create("a", "a", "a", "a", "a");
    const newest = [...ids].reverse();
    expect(await listed({})).toEqual(newest);
    expect(await listed({ sort: "created_at", ascending: true })).toEqual(ids);
    expect(await listed({ sort: "name" })).toEqual(ids);
    expect(await listed({ sort: "postings" })).toEqual(newest);
  });

  it("neither repeats nor misses those that stay as they are, whatever becomes of others", async () => {
    const [a, b, c, d, e] = await create("a", "b", "c", "d", "e");
    const rename = [
      () => changeInsight(world, { id: a!, companyId: COMPANY }, { name: "zz" }),
      () => insights.delete(b!, COMPANY),
    ];
    expect(await listed({ sort: "name" }, 2, async () => rename.shift()?.())).toEqual([a, b, c, d, e, a]);
  });

  it("may be of some only", async () => {
    const [a, b, c] = await create("owl a", "bee b", "owl c");
    await insights.pause(a!, COMPANY);
    expect(await listed({ sort: "name", ascending: false, q: "OWL" }, 1)).toEqual([c, a]);
    expect(await listed({ sort: "name", status: "running" }, 1)).toEqual([b, c]);
  });

  it("refuses cursors of another order, and those that it has not given", async () => {
    await create("a", "b", "c");
    const page = (wanted: Partial<WantedInsights>, cursor: string) =>
      insights.list(COMPANY, { q: "", ...wanted }, { limit: 1, cursor });
    const { nextCursor } = await page({ sort: "name" }, "");
    const byId = await page({}, "");
    const forged = Buffer.from('["sortName",1,{"ne":""},1]').toString("base64url");
    for (const [wanted, cursor] of [
      [{}, nextCursor],
      [{ sort: "name", ascending: false }, nextCursor],
      [{ sort: "postings" }, nextCursor],
      [{ sort: "name" }, byId.nextCursor],
      [{ sort: "name" }, forged],
      [{ sort: "name" }, "x"],
    ] as const) {
      const refused = (await page(wanted, cursor).catch((error: unknown) => error)) as AppError;
      expect(refused.violations, cursor).toMatchObject([{ field: "cursor" }]);
    }
  });
});
