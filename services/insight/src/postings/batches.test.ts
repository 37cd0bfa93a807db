import { afterEach, beforeEach, expect, it } from "vitest";
import type { InsightRecord } from "../store/records.js";
import { draft, PostingsWorld } from "./testing/postings-world.js";
import { AnalysisBatches } from "./batches.js";

let world: PostingsWorld;
beforeEach(async () => {
  world = await PostingsWorld.open();
});
afterEach(() => world.close());

const open = (): AnalysisBatches => new AnalysisBatches(world);

/** Has that many postings wait for their analysis. */
const wait = (insight: InsightRecord, count: number, { preview = false } = {}) =>
  world.save(
    insight,
    Array.from({ length: count }, (_, number) => draft(number)),
    { preview },
  );

/** Number of postings of each insight in each new batch; batches of earlier calls are in work. */
const next = async (batches: AnalysisBatches): Promise<Record<number, number>[]> => {
  await batches.form();
  const { collections } = world;
  const formed = await collections.batches.find({ attempts: 0 }, { sort: [["dueAt", 1]] });
  const counted = await Promise.all(
    formed.map(async (batch) => {
      const counts: Record<number, number> = {};
      for (const { insightId } of await batches.worksOf(batch)) counts[insightId] = (counts[insightId] ?? 0) + 1;
      return counts;
    }),
  );
  await collections.batches.updateMany({ attempts: 0 }, { set: { attempts: 1 } });
  return counted;
};

it("holds the work of one company, of which few wait", async () => {
  const [large, small] = [await world.insight({ companyId: 1 }), await world.insight({ companyId: 2 })];
  await wait(large, 400);
  await wait(small, 10);
  const batches = open();
  await batches.form();
  await batches.form();
  const all = (await next(batches)).map((counts) => JSON.stringify(counts)).sort();
  const ofLarge = Array.from({ length: 8 }, () => JSON.stringify({ [large.id]: 32 }));
  expect(all).toEqual([...ofLarge, JSON.stringify({ [small.id]: 10 })].sort());
});

it("leaves no work out and puts none into two, though several processes make them", async () => {
  await wait(await world.insight({ companyId: 1 }), 200);
  await Promise.all(Array.from({ length: 3 }, () => open().form()));
  await open().form();
  const formed = await world.collections.batches.find({});
  const held = await Promise.all(formed.map((batch) => open().worksOf(batch)));
  const ids = held.flat().map(({ id }) => id);
  expect(ids).toHaveLength(200);
  expect(new Set(ids).size).toBe(200);
});

it("holds no previews beside what waits longer", async () => {
  const large = await world.insight({ companyId: 1 });
  await wait(large, 300);
  const preview = await world.insight({ companyId: 1 });
  world.time += 1_000;
  await wait(preview, 25, { preview: true });
  await open().form();
  const [urgent] = await world.collections.batches.find({ preview: true });
  expect(urgent?.postings).toHaveLength(25);
});

it("puts a few postings of an insight before the many of another one of the company", async () => {
  const [large, small] = [await world.insight({ companyId: 1 }), await world.insight({ companyId: 1 })];
  await wait(large, 300);
  world.time += 1_000;
  await wait(small, 10);
  const batches = open();
  await batches.form();
  const [first] = await world.collections.batches.find({ since: { lt: world.time } }, { sort: [["dueAt", 1]] });
  const held = await world.collections.work.find({ insightId: small.id });
  expect(new Set(held.map(({ holder }) => holder)).size).toBe(1);
  expect(first).toBeDefined();
});

it("continues with the many postings of an insight, however many small ones the company has", async () => {
  const large = await world.insight({ companyId: 1 });
  await wait(large, 1_000);
  const batches = open();
  for (let round = 0; round < 3; round++) {
    world.time += 1_000;
    for (let i = 0; i < 4; i++) await wait(await world.insight({ companyId: 1 }), 20);
    for (const counts of await next(batches)) expect(counts[large.id]).toBeGreaterThanOrEqual(16);
  }
});

it("is split into batches of one posting each, which leaves nothing with it", async () => {
  await wait(await world.insight({ companyId: 1 }), 3);
  const batches = open();
  await batches.form();
  const [whole] = await world.collections.batches.find({});
  if (whole === undefined) throw new Error("no batch was made");
  await batches.split(whole, await batches.worksOf(whole));
  expect(await batches.worksOf(whole)).toEqual([]);
  const parts = await world.collections.batches.find({ id: { ne: whole.id } });
  expect(parts.flatMap(({ postings }) => postings).sort()).toEqual([...whole.postings].sort());
  expect(parts.map(({ since }) => since)).toEqual([whole.since, whole.since, whole.since]);
});
