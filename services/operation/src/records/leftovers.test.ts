import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { contentPartId } from "./contents.js";
import { CREATE_TIME_MAX_MS, leftoverOfCreation } from "./leftovers.js";
import { Bed, texts } from "../testing/bed.js";

let bed: Bed;
let now: number;
beforeEach(async () => {
  now = Date.now();
  bed = await Bed.open({ clock: () => now, config: { leaseMs: 200 } });
});
afterEach(() => bed.close());

const part = (operationId: number) => ({ id: contentPartId(operationId, 0), operationId, contents: ["x"] });

it("removes the parts of a request that died before its record, when nobody can be at it any more", async () => {
  const { contentParts, leftovers, operations } = bed.collections;
  await bed.client.createOperation(texts(["a"]));
  const [record] = await operations.find({});
  if (record === undefined) throw new Error("nothing stored");
  await contentParts.insert(part(77));
  await leftovers.put(leftoverOfCreation({ ...record, id: 77 }));
  bed.process.start("sweeper");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await contentParts.count({})).toBe(1);
  now += CREATE_TIME_MAX_MS + 1;
  await vi.waitFor(async () => expect([await contentParts.count({}), await leftovers.count({})]).toEqual([0, 0]));
});

it("removes what a deletion that died, or a late worker, left behind, and then the key", async () => {
  const { resultParts, leftovers } = bed.collections;
  const { id } = await bed.client.createOperation({ ...texts(["a"]), idempotencyKey: "k" });
  await bed.client.deleteOperation({ id });
  await resultParts.insert({ id: "late", operationId: Number(id), part: 0, outcomes: [] });
  bed.process.start("sweeper");
  now += 61_000;
  await vi.waitFor(async () => expect(await resultParts.count({})).toBe(0));
  expect(await leftovers.count({})).toBe(1);
  now += 24 * 3_600_000;
  await vi.waitFor(async () => expect(await leftovers.count({})).toBe(0));
});
