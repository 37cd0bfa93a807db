import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ended, holdUp, OperationHarness, texts, waitingIn } from "./testing/operation-harness.js";

let harness: OperationHarness;
beforeEach(async () => {
  harness = await OperationHarness.open({ config: { concurrency: 2 } });
});
afterEach(() => harness.close());

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function backlog(companyId: number, count: number): Promise<bigint[]> {
  const client = harness.process.client(companyId);
  const calls = Array.from({ length: count }, (_, index) => client.createOperation(texts([`${companyId}/${index}`])));
  return (await Promise.all(calls)).map(({ id }) => id);
}

const order = () => harness.process.pool.calls.map(({ texts: given }) => given[0] ?? "");

it("lets a company's single operation pass another's backlog", async () => {
  const ids = await backlog(1, 200);
  harness.process.pool.before = () => pause(5);
  harness.process.start();
  await vi.waitFor(() => expect(order().length).toBeGreaterThan(20));
  const [single = 0n] = await backlog(2, 1);
  const ahead = order().length;
  await ended(harness.process.client(2), single);
  // Only what was already queued or in progress: the relay's window may have doubled.
  expect(order().indexOf("2/0")).toBeLessThan(ahead + 40);
  await Promise.all(ids.map((id) => ended(harness.process.client(1), id)));
  expect(new Set(order()).size).toBe(201);
});

it("keeps the order of one company and alternates between two", async () => {
  await backlog(1, 20);
  await backlog(2, 20);
  await holdUp(harness);
  harness.process.start("relay");
  await vi.waitFor(async () => expect(await waitingIn(harness)).toHaveLength(8));
  const first = await waitingIn(harness);
  expect(first.filter(({ companyId }) => companyId === 1)).toHaveLength(4);
  expect(first.filter(({ companyId }) => companyId === 2)).toHaveLength(4);
});

it("charges an operation by its contents", async () => {
  const heavy = harness.process.client(1);
  for (let count = 0; count < 3; count++) await heavy.createOperation(texts(Array.from({ length: 10 }, () => "x")));
  await backlog(2, 20);
  await holdUp(harness);
  harness.process.start("relay");
  await vi.waitFor(async () => expect(await waitingIn(harness)).toHaveLength(8));
  expect((await waitingIn(harness)).filter(({ companyId }) => companyId === 2)).toHaveLength(8);
});

it("is not held up by operations that fail and wait to be tried again", async () => {
  harness.process.pool.before = (given) => {
    if (given[0]?.startsWith("1/") === true) throw new Error("no luck");
  };
  harness.process.start();
  await backlog(1, 30);
  const [single = 0n] = await backlog(2, 1);
  await ended(harness.process.client(2), single);
  expect(await harness.operations.count({ companyId: 1, status: "failed" })).toBe(0);
});
