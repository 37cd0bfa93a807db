import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { AnalysisType, OperationSchema, OperationStatus, OperationType } from "@hourglass/proto/operation/v1/operation";
import type { Collection } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OPERATION_KIND, RUN_QUEUE } from "./run.js";
import { ended, Gate, OperationHarness, publishRun, texts } from "./testing/operation-harness.js";

const { newerWorkerMs, newerWorkersMax } = OPERATION_KIND.policy;

/** A record as a newer release may write it. */
type NewerRecord = Record<string, string | number | boolean | null | string[] | object> & { id: number };

let harness: OperationHarness;
let records: Collection<NewerRecord>;
beforeEach(async () => {
  harness = await OperationHarness.open();
  records = harness.operations as unknown as Collection<NewerRecord>;
});
afterEach(() => harness.close());

/** Accepts an operation and changes it into one of a newer release before any worker sees it. */
async function accepted(changes: Omit<Partial<NewerRecord>, "id">): Promise<bigint> {
  const { id } = await harness.client.createOperation(texts(["one", "two"]));
  await records.update({ id: Number(id) }, { set: changes });
  return id;
}

const recordOf = async (id: bigint) => (await records.get(Number(id))) ?? { id: 0 };
const read = async (id: bigint) => {
  const { operation } = await harness.client.getOperation({ id, wait: 0 });
  if (operation === undefined) throw new Error("no operation in the answer");
  return fromBinary(OperationSchema, toBinary(OperationSchema, operation));
};
const handedOn = async (id: bigint) =>
  vi.waitFor(async () => expect(await recordOf(id)).toMatchObject({ newerOffers: 1 }));

describe("an operation that a newer release accepted", () => {
  it.each([
    ["an analysis", { analyses: ["topic", "emotion-of-smells"] }],
    ["a kind of contents", { kind: "hologram" }],
  ])("is left to a newer worker when it has %s unknown here", async (_what, changes) => {
    const id = await accepted(changes);
    harness.process.start();
    await handedOn(id);
    // It is not offered again before its time.
    await vi.waitFor(async () => expect(await harness.storage.queue.depth(RUN_QUEUE)).toBe(0));
    expect(await recordOf(id)).toMatchObject({ ...changes, status: "pending", attempts: 0, newerOffers: 1 });
    expect(harness.process.pool.calls).toEqual([]);
    expect((await read(id)).status).toBe(OperationStatus.PENDING);
  });

  it("is done by a newer worker, whatever older ones did", async () => {
    const id = await accepted({ analyses: ["topic", "emotion-of-smells"] });
    harness.process.start();
    await handedOn(id);
    // The newer worker knows it by a name that this release knows too.
    await records.update({ id: Number(id) }, { set: { analyses: ["topic"], newerOffers: 5 } });
    await publishRun(harness, Number(id));
    const operation = await ended(harness.client, id);
    expect(operation).toMatchObject({ status: OperationStatus.DONE, progress: { done: 2, total: 2 } });
    expect(await recordOf(id)).toMatchObject({ attempts: 1 });
  });

  it("does not multiply when its message comes twice", async () => {
    const id = await accepted({ kind: "hologram" });
    const publish = vi.spyOn(harness.storage.queue, "publish");
    harness.process.start();
    await handedOn(id);
    const [[queue, body] = [RUN_QUEUE, new Uint8Array()]] = publish.mock.calls;
    for (let copy = 0; copy < 2; copy++) await harness.storage.queue.publish(queue, body);
    await vi.waitFor(async () => expect(await harness.storage.queue.depth(RUN_QUEUE)).toBe(0));
    expect(await recordOf(id)).toMatchObject({ newerOffers: 1, status: "pending" });
  });

  it("holds up nobody", async () => {
    for (let count = 0; count < 20; count++) await accepted({ kind: "hologram" });
    harness.process.start();
    const { id } = await harness.client.createOperation(texts(["mine"]));
    expect((await ended(harness.client, id)).status).toBe(OperationStatus.DONE);
  });

  it("fails when no newer worker came in an hour of offers, and says why", async () => {
    const id = await accepted({ analyses: ["emotion-of-smells"], kind: "hologram", newerOffers: newerWorkersMax });
    expect(newerWorkersMax * newerWorkerMs).toBe(3_600_000);
    harness.process.start();
    const operation = await ended(harness.client, id);
    expect(operation.status).toBe(OperationStatus.FAILED);
    expect(operation.error).toMatch(/contents of kind hologram, analysis emotion-of-smells.*up to date/);
  });

  it("can be read and listed as far as it is known", async () => {
    const kind = await accepted({ kind: "hologram", analyses: ["topic", "emotion-of-smells"], status: "paused" });
    expect(await read(kind)).toMatchObject({
      status: OperationStatus.UNSPECIFIED,
      query: {
        type: OperationType.UNSPECIFIED,
        analyses: [AnalysisType.TOPIC, AnalysisType.UNSPECIFIED],
        contents: [{ value: { case: undefined } }, { value: { case: undefined } }],
      },
    });
    const { operations } = await harness.client.listOperations({ limit: 10 });
    expect(operations.map(({ id }) => id)).toEqual([kind]);
  });

  it("shows the results that are known here once it is done", async () => {
    const outcome = { results: { "spam-detection": { value: "ham", prob: 0.9 }, smell: 3 }, errors: {} };
    const id = await accepted({
      status: "done",
      analyses: ["emotion-of-smells", "spam-detection"],
      results: { contents: [outcome, outcome], groups: [], smells: [] },
    });
    const { data } = await read(id);
    expect(data?.contents[1]).toMatchObject({
      type: OperationType.TEXT,
      analyses: [{ type: AnalysisType.SPAM_DETECTION, data: { value: { value: "ham" } } }],
      error: "emotion-of-smells: not known to this version of the server",
    });
  });
});

it("keeps fields that only a newer release knows, through all a worker does", async () => {
  const gate = new Gate();
  harness.process.pool.before = () => gate.pass();
  const extra = { priority: "high", retention: { days: 30, holds: ["legal", null] }, flagged: false };
  const id = await accepted(extra);
  harness.process.start();
  await gate.reached;
  expect(await recordOf(id)).toMatchObject({ ...extra, status: "running" });
  gate.open();
  await ended(harness.client, id);
  expect(await recordOf(id)).toMatchObject({ ...extra, status: "done" });
});
