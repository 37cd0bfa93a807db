import { afterEach, beforeEach, expect, it } from "vitest";
import type { InsightRecord } from "../../store/records.js";
import { draft, PostingsWorld } from "../testing/postings-world.js";
import { eraseInsight } from "./erase-insight.js";

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

it("goes on where it was interrupted", async () => {
  let parts = 0;
  for (;;) {
    parts += 1;
    if (await eraseInsight(world, doomed, () => Promise.resolve(false))) break;
  }
  expect(parts).toBeGreaterThan(3);
  expect(await world.collections.work.count({})).toBe(0);
  expect(await world.collections.insights.get(doomed.id)).toBeUndefined();
});
