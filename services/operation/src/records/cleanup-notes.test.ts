import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { contentPartId } from "./contents.js";
import { CREATE_TIME_MAX_MS, noteOfCreation } from "./cleanup-notes.js";
import { OperationHarness, texts } from "../testing/operation-harness.js";

let harness: OperationHarness;
let now: number;
beforeEach(async () => {
  now = Date.now();
  harness = await OperationHarness.open({ clock: () => now, config: { leaseMs: 200 } });
});
afterEach(() => harness.close());

const part = (operationId: number) => ({ id: contentPartId(operationId, 0), operationId, contents: ["x"] });

it("removes the parts of a request that died before its record, when nobody can be at it any more", async () => {
  const { contentParts, cleanupNotes, operations } = harness.collections;
  await harness.client.createOperation(texts(["a"]));
  const [record] = await operations.find({});
  if (record === undefined) throw new Error("nothing stored");
  await contentParts.insert(part(77));
  await cleanupNotes.put(noteOfCreation({ ...record, id: 77 }));
  harness.process.start("sweeper");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await contentParts.count({})).toBe(1);
  now += CREATE_TIME_MAX_MS + 1;
  await vi.waitFor(async () => expect([await contentParts.count({}), await cleanupNotes.count({})]).toEqual([0, 0]));
});

it("removes what a deletion that died, or a late worker, left behind, and then the key", async () => {
  const { resultParts, cleanupNotes } = harness.collections;
  const { id } = await harness.client.createOperation({ ...texts(["a"]), idempotencyKey: "k" });
  await harness.client.deleteOperation({ id });
  await resultParts.insert({ id: "late", operationId: Number(id), part: 0, outcomes: [] });
  harness.process.start("sweeper");
  now += 61_000;
  await vi.waitFor(async () => expect(await resultParts.count({})).toBe(0));
  expect(await cleanupNotes.count({})).toBe(1);
  now += 24 * 3_600_000;
  await vi.waitFor(async () => expect(await cleanupNotes.count({})).toBe(0));
});
