import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import { AppError } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noteOfCreation } from "./create.js";
import { contentPartId, CREATE_TIME_MAX_MS } from "./store.js";
import { FakeMedia } from "./testing/fakes.js";
import { ended, OperationHarness, type Process, texts } from "./testing/operation-harness.js";

describe("cleanup notes", () => {
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
    harness.process.start("relay", "sweeper");
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
    harness.process.start("relay", "sweeper");
    now += 61_000;
    await vi.waitFor(async () => expect(await resultParts.count({})).toBe(0));
    expect(await cleanupNotes.count({})).toBe(1);
    now += 24 * 3_600_000;
    await vi.waitFor(async () => expect(await cleanupNotes.count({})).toBe(0));
  });
});

describe("retention", () => {
  const HOUR_MS = 60 * 60_000;
  const DAY_MS = 24 * HOUR_MS;
  const KEPT_DAYS = 2;

  let harness: OperationHarness;
  let media: FakeMedia;
  let now: number;
  beforeEach(async () => {
    now = Date.now();
    media = new FakeMedia();
    harness = await OperationHarness.open({ clock: () => now, media: media.seen, config: { leaseMs: 200 } });
  });
  afterEach(() => harness.close());

  /** A process that erases what is over, and nothing else. */
  const sweeper = async (retentionDays: number | undefined): Promise<Process> => {
    const config = { leaseMs: 200, retentionDays };
    return (await harness.another({ clock: () => now, media: media.seen, config })).start("relay", "sweeper");
  };

  /** An operation that ends now, so that its time begins. */
  const endOne = async () => {
    const { id } = await harness.client.createOperation(texts(["a"]));
    harness.process.start("relay", "worker");
    await ended(harness.client, id);
    await harness.process.stop();
    return Number(id);
  };

  /** Waits until two hourly sweeps are over. */
  const sweptTwice = async () => {
    const { chores } = harness.collections;
    for (let time = 0; time < 2; time += 1) {
      await vi.waitFor(async () =>
        expect(await chores.get("retention")).toMatchObject({ attempts: 0, dueAt: now + HOUR_MS }),
      );
      now += HOUR_MS;
    }
  };

  const kept = async () => (await harness.operations.find({})).map(({ id }) => id).sort();

  it("erases operations, contents and results when their time is over, and no others", async () => {
    const old = await endOne();
    now += KEPT_DAYS * DAY_MS - 1000;
    const young = await endOne();
    const { id: unfinished } = await harness.client.createOperation(texts(["b"]));
    await sweeper(KEPT_DAYS);
    now += HOUR_MS + 2000;
    await vi.waitFor(async () => expect(await kept()).not.toContain(old));
    expect(await kept()).toEqual([young, Number(unfinished)].sort());
    const { contentParts, resultParts } = harness.collections;
    await vi.waitFor(async () => {
      expect(await contentParts.count({ operationId: old })).toBe(0);
      expect(await resultParts.count({ operationId: old })).toBe(0);
    });
  });

  it("erases their files too, once Media can be reached", async () => {
    const contents = [{ value: { case: "fileId" as const, value: 7n } }];
    const request = { type: OperationType.FILE, analyses: [AnalysisType.OBJECT_ID], contents };
    const { id } = await harness.client.createOperation(request);
    await harness.operations.update({ id: Number(id) }, { set: { status: "done", finishedAt: now } });
    media.deleteFailure = new AppError("unavailable", "away");
    const asked = vi.spyOn(media.client, "deleteFiles");
    now += KEPT_DAYS * DAY_MS + 1000;
    await sweeper(KEPT_DAYS);
    const waitFor = (check: () => Promise<void> | void) =>
      vi.waitFor(async () => {
        now += 10_000;
        await check();
      });
    await waitFor(() => expect(asked.mock.calls.length).toBeGreaterThanOrEqual(2));
    expect(await kept()).toEqual([Number(id)]);
    media.deleteFailure = undefined;
    await waitFor(async () => expect(await kept()).toEqual([]));
    expect(media.claims.size).toBe(0);
  });

  it("keeps operations forever unless configured otherwise", async () => {
    const id = await endOne();
    now += 10_000 * DAY_MS;
    await sweeper(undefined);
    await sweptTwice();
    expect(await kept()).toEqual([id]);
  });
});
