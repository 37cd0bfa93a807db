import { create } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { KnownOperationSchema } from "@hourglass/proto/operation/v1/operation_service";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ended, OperationHarness, texts } from "../testing/operation-harness.js";

let harness: OperationHarness;
beforeEach(async () => {
  harness = await OperationHarness.open();
});
afterEach(() => harness.close());

const finish = async () => {
  const { id } = await harness.client.createOperation(texts(["a"]));
  harness.process.start();
  await ended(harness.client, id);
  const { operation } = await harness.client.getOperation({ id });
  return known(id, operation?.finishedAt);
};

const known = (id: bigint, finishedAt: Timestamp | undefined) =>
  create(KnownOperationSchema, { id, ...(finishedAt && { finishedAt }) });

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
