import { create as createMessage } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { AnalysisType, OperationStatus } from "@hourglass/proto/operation/v1/operation";
import { KnownOperationSchema } from "@hourglass/proto/operation/v1/operation_service";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ended, failureOf, Gate, OperationHarness, texts } from "./testing/operation-harness.js";

let harness: OperationHarness;
beforeEach(async () => {
  harness = await OperationHarness.open();
});
afterEach(() => harness.close());

const create = async (contents = ["a"]) => (await harness.client.createOperation(texts(contents))).id;

describe("operations of others", () => {
  it("look exactly like those that do not exist", async () => {
    const id = await create();
    const other = harness.process.client(2);
    const ghost = 999_999n;
    for (const call of [other.getOperation, other.deleteOperation]) {
      const [foreign, unknown] = [await failureOf(call({ id })), await failureOf(call({ id: ghost }))];
      expect(foreign).toMatchObject({ kind: "not-found", message: unknown.message, code: unknown.code });
    }
    expect((await other.listOperations({})).operations).toEqual([]);
    expect((await harness.client.getOperation({ id })).operation?.id).toBe(id);
  });
});

describe("waiting for an operation", () => {
  const timed = async (work: Promise<unknown>) => {
    const started = performance.now();
    await work;
    return performance.now() - started;
  };

  it("ends with the operation", async () => {
    const gate = new Gate();
    harness.process.pool.before = () => gate.pass();
    harness.process.start();
    const id = await create();
    await gate.reached;
    const waiting = harness.client.getOperation({ id, wait: 20 });
    gate.open();
    const answer = await waiting;
    expect(answer.operation?.status).toBe(OperationStatus.DONE);
  });

  it("ends with the operation when another process carries it out", async () => {
    (await harness.another()).start("worker");
    harness.process.start("relay");
    const id = await create();
    expect(await timed(ended(harness.client, id))).toBeLessThan(20_000);
  });

  it("answers the unfinished operation when the time is over", async () => {
    const id = await create();
    const answer = harness.client.getOperation({ id, wait: 1 });
    expect(await timed(answer)).toBeGreaterThanOrEqual(990);
    expect((await answer).operation?.status).toBe(OperationStatus.READY);
  });

  it("stops when the caller leaves or its deadline passes", async () => {
    const id = await create();
    expect((await failureOf(harness.client.getOperation({ id, wait: 30 }, { timeoutMs: 100 }))).kind).toBe("deadline");
    const gone = AbortSignal.timeout(100);
    expect((await failureOf(harness.client.getOperation({ id, wait: 30 }, { signal: gone }))).kind).toBe("cancelled");
  });

  it("answers the unfinished operation when the process stops", async () => {
    const stopping = new AbortController();
    const process = await harness.another({ stopping: stopping.signal });
    const id = await create();
    const waiting = process.client().getOperation({ id, wait: 30 });
    stopping.abort();
    expect((await waiting).operation?.status).toBe(OperationStatus.READY);
  });

  it("ends when the operation is deleted", async () => {
    const id = await create();
    const waiting = failureOf(harness.client.getOperation({ id, wait: 30 }));
    await harness.client.deleteOperation({ id });
    expect((await waiting).kind).toBe("not-found");
  });
});

describe("a list", () => {
  it("goes through all operations of the company once, newest first, without contents and data", async () => {
    harness.process.start();
    const ids: bigint[] = [];
    for (let count = 0; count < 25; count++) ids.push(await create());
    await Promise.all(ids.map((id) => ended(harness.client, id)));
    await harness.process.client(2).createOperation(texts(["other"]));
    const seen: bigint[] = [];
    let cursor = "";
    do {
      const page = await harness.client.listOperations({ limit: 10, cursor });
      for (const operation of page.operations) {
        expect(operation.data).toBeUndefined();
        expect(operation.query?.contents).toEqual([]);
        expect(operation.query?.analyses).toEqual([AnalysisType.SENTIMENT_SIMPLE]);
        seen.push(operation.id);
      }
      cursor = page.nextCursor;
    } while (cursor !== "");
    expect(seen).toEqual(ids.reverse());
  });

  it("ends exactly at a full page", async () => {
    for (let count = 0; count < 4; count++) await create();
    const page = await harness.client.listOperations({ limit: 2 });
    const last = await harness.client.listOperations({ limit: 2, cursor: page.nextCursor });
    expect([last.operations.length, last.nextCursor]).toEqual([2, ""]);
  });

  it("can be of one status", async () => {
    const id = await create();
    expect((await harness.client.listOperations({ status: OperationStatus.DONE })).operations).toEqual([]);
    const ready = await harness.client.listOperations({ status: OperationStatus.READY });
    expect(ready.operations.map((operation) => operation.id)).toEqual([id]);
  });

  it("refuses a cursor that it did not give out", async () => {
    for (const cursor of ["x", "MQ==", "LTE", "MS41", "OTk5OTk5OTk5OTk5OTk5OTk5"]) {
      const failure = await failureOf(harness.client.listOperations({ cursor }));
      expect(failure).toMatchObject({ kind: "invalid", violations: [{ field: "cursor" }] });
    }
  });
});

describe("deleting an operation", () => {
  it("erases record, contents and results", async () => {
    harness.process.start();
    const id = await create(Array.from({ length: 300 }, (_, index) => `${index}`));
    await ended(harness.client, id);
    await harness.client.deleteOperation({ id });
    const { operations, contentParts, resultParts } = harness.collections;
    const counts = await Promise.all([operations.count({}), contentParts.count({}), resultParts.count({})]);
    expect(counts).toEqual([0, 0, 0]);
    expect((await failureOf(harness.client.getOperation({ id }))).kind).toBe("not-found");
    expect((await failureOf(harness.client.deleteOperation({ id }))).kind).toBe("not-found");
  });

  it("answers one of many that delete at once", async () => {
    const id = await create();
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => harness.client.deleteOperation({ id })));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("checking operations that were read before", () => {
  const finish = async () => {
    const { id } = await harness.client.createOperation(texts(["a"]));
    harness.process.start();
    await ended(harness.client, id);
    const { operation } = await harness.client.getOperation({ id });
    return known(id, operation?.finishedAt);
  };

  const known = (id: bigint, finishedAt: Timestamp | undefined) =>
    createMessage(KnownOperationSchema, { id, ...(finishedAt && { finishedAt }) });

  const unchanged = async (...operations: ReturnType<typeof known>[]) =>
    (await harness.client.checkOperations({ operations })).unchangedIds;

  it("names the operations that still are as they were read", async () => {
    const [first, second] = [await finish(), await finish()];
    expect(await unchanged(first, second)).toEqual([first.id, second.id]);
    await harness.client.deleteOperation({ id: first.id });
    expect(await unchanged(first, second)).toEqual([second.id]);
    expect(await unchanged(first)).toEqual([]);
  });

  it("names none that ended at another time, as after a restored backup, and none without a time", async () => {
    const operation = await finish();
    const { seconds = 0n, nanos = 0 } = operation.finishedAt ?? {};
    const others = [{ seconds: seconds + 1n, nanos }, { seconds, nanos: nanos + 1_000_000 }, undefined];
    for (const finishedAt of others) {
      expect(await unchanged(known(operation.id, finishedAt && stamp(finishedAt)))).toEqual([]);
    }
  });

  it("names none of another company", async () => {
    const operation = await finish();
    const answer = await harness.process.client(2).checkOperations({ operations: [operation] });
    expect(answer.unchangedIds).toEqual([]);
  });

  it("names none that is not done", async () => {
    const { id } = await harness.client.createOperation(texts(["a"]));
    expect(await unchanged(known(id, stamp({ seconds: 0n, nanos: 0 })))).toEqual([]);
  });

  function stamp({ seconds, nanos }: { seconds: bigint; nanos: number }): Timestamp {
    return { $typeName: "google.protobuf.Timestamp", seconds, nanos };
  }
});
