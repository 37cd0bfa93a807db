import { afterEach, beforeEach, expect, it } from "vitest";
import type { InsightRecord } from "../store/records.js";
import { draft, PostingsWorld } from "./testing/postings-world.js";
import { WorkClaims } from "./work-claims.js";

const LEASE_MS = 60_000;

let world: PostingsWorld;
beforeEach(async () => {
  world = await PostingsWorld.open();
});
afterEach(() => world.close());

const open = (perCompany?: number): WorkClaims => {
  const { store, collections, now } = world;
  return new WorkClaims({
    store,
    collections,
    leaseMs: LEASE_MS,
    now,
    ...(perCompany !== undefined && { perCompany }),
  });
};

/** Has that many postings wait for their analysis. */
const wait = (insight: InsightRecord, count: number, { preview = false } = {}) =>
  world.save(
    insight,
    Array.from({ length: count }, (_, number) => draft(number)),
    { preview },
  );

/** Number of postings of each insight in the next claim, and the claim. */
const next = async (claims: WorkClaims) => {
  const claimed = await claims.claim(32);
  const counts: Record<number, number> = {};
  for (const { insightId } of claimed?.works ?? []) counts[insightId] = (counts[insightId] ?? 0) + 1;
  return { claimed, counts };
};

it("claims the work of one company at a time, and that of another one in the next turn", async () => {
  const [large, small] = [await world.insight({ companyId: 1 }), await world.insight({ companyId: 2 })];
  await wait(large, 300);
  const claims = open();
  expect((await next(claims)).counts).toEqual({ [large.id]: 32 });
  await wait(small, 10);
  expect((await next(claims)).counts).toEqual({ [small.id]: 10 });
  expect((await next(claims)).counts).toEqual({ [large.id]: 32 });
});

it("claims previews before what waits longer", async () => {
  const large = await world.insight({ companyId: 1 });
  await wait(large, 300);
  const preview = await world.insight({ companyId: 1 });
  world.time += 1_000;
  await wait(preview, 25, { preview: true });
  expect((await next(open())).counts).toEqual({ [preview.id]: 25 });
});

it("puts a few postings of an insight before the many of another one of the company", async () => {
  const [large, small] = [await world.insight({ companyId: 1 }), await world.insight({ companyId: 1 })];
  await wait(large, 300);
  world.time += 1_000;
  await wait(small, 10);
  expect((await next(open())).counts).toEqual({ [large.id]: 22, [small.id]: 10 });
});

it("continues with the many postings of an insight, however many small ones the company has", async () => {
  const large = await world.insight({ companyId: 1 });
  await wait(large, 300);
  const claims = open();
  let ofLarge = 0;
  for (let round = 0; round < 5; round++) {
    world.time += 1_000;
    for (let i = 0; i < 4; i++) await wait(await world.insight({ companyId: 1 }), 20);
    ofLarge += (await next(claims)).counts[large.id] ?? 0;
  }
  expect(ofLarge).toBeGreaterThanOrEqual(5 * 16);
});

it("leaves lanes to others while a process works on many claims of one company", async () => {
  const large = await world.insight({ companyId: 1 });
  await wait(large, 300);
  const claims = open(2);
  const [first, second, third] = [await next(claims), await next(claims), await next(claims)];
  expect([first.counts, second.counts, third.counts]).toEqual([{ [large.id]: 32 }, { [large.id]: 32 }, {}]);
  const other = await world.insight({ companyId: 2 });
  await wait(other, 1);
  expect((await next(claims)).counts).toEqual({ [other.id]: 1 });
  if (first.claimed !== undefined) claims.release(first.claimed);
  expect((await next(claims)).counts).toEqual({ [large.id]: 32 });
});

it("leaves works whose results are being stored out of a renewal, which would get in the way of that", async () => {
  await world.save(await world.insight(), [draft(1), draft(2)]);
  const claims = open();
  const claimed = await claims.claim(2);
  const [ending, going] = claimed?.works ?? [];
  if (claimed === undefined || ending === undefined || going === undefined) throw new Error("two works are due");
  const claimedAt = world.time;

  claimed.ending.add(ending.id);
  world.time += LEASE_MS / 2;
  await claims.renew(claimed);

  expect((await world.collections.work.get(ending.id))?.dueAt).toBe(claimedAt + LEASE_MS);
  expect((await world.collections.work.get(going.id))?.dueAt).toBe(world.time + LEASE_MS);
});
