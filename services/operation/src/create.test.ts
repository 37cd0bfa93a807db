import { OperationType } from "@hourglass/proto/operation/v1/operation";
import { AppError } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeMedia } from "./testing/fakes.js";
import { ended, failureOf, OperationHarness, texts } from "./testing/operation-harness.js";

let harness: OperationHarness;
let media: FakeMedia;
let now: number;
beforeEach(async () => {
  media = new FakeMedia();
  now = Date.now();
  harness = await OperationHarness.open({ media: media.seen, clock: () => now, config: { unfinishedMax: 50 } });
});
afterEach(() => harness.close());

const file = (id: bigint) => ({ value: { case: "fileId" as const, value: id } });
const files = (...ids: bigint[]) => ({ ...texts([]), type: OperationType.FILE, contents: ids.map(file) });
const large = Array.from({ length: 300 }, (_, index) => `${index} ${"x".repeat(500)}`);

async function nothingStored(): Promise<void> {
  const { operations, contentParts, cleanupNotes } = harness.collections;
  expect(await Promise.all([operations.count({}), contentParts.count({}), cleanupNotes.count({})])).toEqual([0, 0, 0]);
}

describe("accepting an operation", () => {
  it("gives ids that grow", async () => {
    const { id: first } = await harness.client.createOperation(texts(["a"]));
    const { id: second } = await harness.client.createOperation(texts(["a"]));
    expect(second).toBeGreaterThan(first);
  });

  it("stores nothing of a request that is wrong", async () => {
    const failure = await failureOf(harness.client.createOperation({ ...texts(["a"]), contentsGroups: ["3"] }));
    expect(failure).toMatchObject({ kind: "invalid", violations: [{ field: "contents_groups[0]" }] });
    await nothingStored();
  });

  it("names the URL that is there twice, storing nothing", async () => {
    const url = { value: { case: "url" as const, value: "https://example.com/a.png" } };
    const twice = await failureOf(harness.client.createOperation({ ...files(), contents: [url, url] }));
    expect(twice).toMatchObject({ kind: "invalid", violations: [{ field: "contents[1]" }] });
    await nothingStored();
  });

  it("passes on why files cannot be claimed, storing nothing", async () => {
    media.claimFailure = new AppError("unimplemented", "ClaimFiles is not available in this version of the server.");
    expect((await failureOf(harness.client.createOperation(files(1n, 2n)))).kind).toBe("unimplemented");
    expect(media.claims.size).toBe(0);
    await nothingStored();
  });

  it("keeps no notes or parts of a large one but those that belong to it", async () => {
    await harness.client.createOperation(texts(large));
    const [record] = await harness.operations.find({});
    expect(record?.contents).toBeNull();
    expect(await harness.collections.contentParts.count({})).toBe(record?.partCount);
    expect(await harness.collections.cleanupNotes.count({})).toBe(0);
  });

  it("refuses more than the company may have unfinished, and says when to come back", async () => {
    const create = (company: number) => harness.process.client(company).createOperation(texts(["a"]));
    for (let count = 0; count < 50; count++) await create(1);
    const failure = await failureOf(create(1));
    expect(failure).toMatchObject({ kind: "too-many", retryAfterMs: expect.any(Number) as number });
    await create(2);
    now += 1000;
    const [{ id } = { id: 0 }] = await harness.operations.find({ companyId: 1 }, { limit: 1 });
    await harness.client.deleteOperation({ id: BigInt(id) });
    now += 1000;
    await create(1);
  });

  it("refuses what would make the backlog of all companies too long, and takes it once there is less", async () => {
    const process = await harness.another({ clock: () => now, config: { backlogMax: 3 } });
    const create = (company: number) => process.client(company).createOperation(texts(["a"]));
    const ids = await Promise.all([1, 2, 3].map(create));
    expect(await failureOf(create(4))).toMatchObject({ kind: "unavailable", code: "overloaded", retryAfterMs: 2000 });
    await process.client(1).deleteOperation({ id: ids[0]?.id ?? 0n });
    now += 1000;
    await create(4);
  });
});

describe("the same idempotency key", () => {
  const keyed = (contents: readonly string[], key = "k") => ({ ...texts(contents), idempotencyKey: key });

  it("gives the first answer again for the same request", async () => {
    const { id } = await harness.client.createOperation(keyed(["a"]));
    expect(await harness.client.createOperation(keyed(["a"]))).toMatchObject({ id });
    harness.process.start();
    await ended(harness.client, id);
    expect(await harness.client.createOperation(keyed(["a"]))).toMatchObject({ id });
    expect(await harness.operations.count({})).toBe(1);
  });

  it("refuses another request", async () => {
    await harness.client.createOperation(keyed(["a", "b"]));
    for (const contents of [["ab"], ["a", "c"], ["a", "b", "c"]]) {
      const failure = await failureOf(harness.client.createOperation(keyed(contents)));
      expect(failure).toMatchObject({ kind: "invalid", code: "idempotency_key_reused" });
      expect(failure.violations).toMatchObject([{ field: "idempotency_key" }]);
    }
  });

  it("belongs to one company", async () => {
    const { id } = await harness.client.createOperation(keyed(["a"]));
    const other = await harness.process.client(2).createOperation(keyed(["b"]));
    expect(other.id).not.toBe(id);
  });

  it("is free again after 24 hours", async () => {
    const { id } = await harness.client.createOperation(keyed(["a"]));
    now += 24 * 3_600_000 - 1000;
    expect((await harness.client.createOperation(keyed(["a"]))).id).toBe(id);
    now += 2000;
    const { id: next } = await harness.client.createOperation(keyed(["b"]));
    expect(next).not.toBe(id);
    expect((await harness.client.createOperation(keyed(["b"]))).id).toBe(next);
  });

  it("stands for an operation that was deleted, too", async () => {
    const { id } = await harness.client.createOperation(keyed(["a"]));
    await harness.client.deleteOperation({ id });
    expect((await harness.client.createOperation(keyed(["a"]))).id).toBe(id);
    expect(await harness.operations.count({})).toBe(0);
  });

  it("gives one operation to many requests at once, in one process or several", async () => {
    const another = (await harness.another()).client();
    const calls = Array.from({ length: 16 }, (_, index) =>
      (index % 2 ? another : harness.client).createOperation(keyed(large)),
    );
    const ids = new Set((await Promise.all(calls)).map(({ id }) => id));
    expect(ids.size).toBe(1);
    const [record] = await harness.operations.find({});
    expect(await harness.operations.count({})).toBe(1);
    expect(await harness.collections.contentParts.count({})).toBe(record?.partCount);
    expect(await harness.collections.cleanupNotes.count({})).toBe(0);
  });

  it("releases the files of the requests that lose", async () => {
    media.shareClaims = true; // each claims before it learns that it lost
    const calls = Array.from({ length: 8 }, () =>
      harness.client.createOperation({ ...files(1n, 2n), idempotencyKey: "f" }),
    );
    const ids = new Set((await Promise.all(calls)).map(({ id }) => id));
    expect(ids.size).toBe(1);
    expect([...media.claims.keys()]).toEqual([...ids]);
  });
});

describe("one file in several operations", () => {
  it("is refused by its index among the contents", async () => {
    await harness.client.createOperation(files(5n));
    const failure = await failureOf(harness.client.createOperation(files(4n, 5n)));
    expect(failure).toMatchObject({ kind: "invalid", violations: [{ field: "contents[1]", message: "is used" }] });
  });

  it("goes to exactly one when they come at once", async () => {
    const calls = Array.from({ length: 8 }, (_, index) =>
      harness.client.createOperation(files(5n, BigInt(10 + index))),
    );
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(media.claims.size).toBe(1);
    expect(await harness.operations.count({})).toBe(1);
  });
});
