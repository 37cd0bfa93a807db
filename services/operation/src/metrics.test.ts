import { createMetrics, type Metrics } from "@hourglass/runtime";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ended, failureOf, Gate, OperationHarness, texts } from "./testing/operation-harness.js";

let metrics: Metrics;
let harness: OperationHarness;

beforeEach(() => {
  metrics = createMetrics();
});

afterEach(() => harness.close());

/** Waits as long as a busy machine may take. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check);

/** The value of a series as a scrape shows it; undefined if it is missing. */
async function scraped(series: string): Promise<number | undefined> {
  const { body } = await metrics.render();
  const line = body.split("\n").find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

it("counts what is created, carried out and ended", async () => {
  harness = await OperationHarness.open({ metrics });
  harness.process.start();
  const { id } = await harness.client.createOperation(texts(["one", "two"]));
  await ended(harness.client, id);
  await eventually(async () => {
    expect(await scraped('hourglass_job_attempts_total{queue="operation.run",outcome="done"}')).toBe(1);
  });
  expect(await scraped('hourglass_jobs_created_total{kind="operation"}')).toBe(1);
  expect(await scraped('hourglass_jobs_ended_total{kind="operation",status="done"}')).toBe(1);
  expect(await scraped('hourglass_job_age_seconds_count{queue="operation.run"}')).toBe(1);
  expect(await scraped('hourglass_job_duration_seconds_count{queue="operation.run",outcome="done"}')).toBe(1);
  expect(await scraped('hourglass_analysis_duration_seconds_count{analysis="sentiment-simple",engine="stub"}')).toBe(1);
});

it("counts a repeated request once", async () => {
  harness = await OperationHarness.open({ metrics });
  const request = { ...texts(["one"]), idempotencyKey: "k" };
  await harness.client.createOperation(request);
  await harness.client.createOperation(request);
  expect(await scraped('hourglass_jobs_created_total{kind="operation"}')).toBe(1);
});

it("tells how much there is to do, and how long it has waited", async () => {
  let now = 1_000_000;
  harness = await OperationHarness.open({ metrics, clock: () => now });
  await harness.client.createOperation(texts(["one"]));
  now += 30_000;
  await harness.client.createOperation(texts(["two"]));
  const gate = new Gate();
  harness.process.pool.before = () => gate.pass();
  harness.process.start("relay");
  expect(await scraped('hourglass_oldest_waiting_seconds{kind="operation"}')).toBe(30);
  harness.process.start("worker");
  await eventually(async () => expect(await scraped('hourglass_jobs{kind="operation",status="running"}')).toBe(2));
  expect(await scraped('hourglass_jobs{kind="operation",status="ready"}')).toBe(0);
  expect(await scraped('hourglass_oldest_unfinished_seconds{kind="operation"}')).toBe(30);
  expect(await scraped('hourglass_oldest_waiting_seconds{kind="operation"}')).toBe(0);
  expect(await scraped('hourglass_queue_depth{queue="operation.run"}')).toBe(2);
  expect(await scraped('hourglass_dead_letters{queue="operation.run"}')).toBe(0);
  gate.open();
  await eventually(async () => expect(await scraped('hourglass_jobs{kind="operation",status="running"}')).toBe(0));
  expect(await scraped('hourglass_oldest_unfinished_seconds{kind="operation"}')).toBe(0);
});

it("counts attempts that fail, and operations that are given up", async () => {
  harness = await OperationHarness.open({ metrics });
  harness.process.pool.before = () => {
    throw new Error("no model");
  };
  const { id } = await harness.client.createOperation(texts(["one"]));
  await harness.operations.update({ id: Number(id) }, { set: { attempts: 4 } });
  harness.process.start();
  await ended(harness.client, id);
  await eventually(async () => {
    expect(await scraped('hourglass_job_attempts_total{queue="operation.run",outcome="dead"}')).toBe(1);
  });
  expect(await scraped('hourglass_jobs_ended_total{kind="operation",status="failed"}')).toBe(1);
});

it("counts operations taken from workers that gave no sign of life", async () => {
  harness = await OperationHarness.open({ metrics, config: { leaseMs: 300 } });
  const { id } = await harness.client.createOperation(texts(["one"]));
  // The state that a dead worker leaves.
  const dead = { status: "running", attempts: 1, runs: 1, dueAt: 1 } as const;
  await harness.operations.update({ id: Number(id) }, { set: dead });
  harness.process.start();
  await ended(harness.client, id);
  expect(await scraped('hourglass_lease_losses_total{queue="operation.run"}')).toBe(1);
});

it("counts refusals by their code", async () => {
  harness = await OperationHarness.open({ metrics, config: { unfinishedMax: 1 } });
  await harness.client.createOperation(texts(["one"]));
  const { code } = await failureOf(harness.client.createOperation(texts(["two"])));
  expect(await scraped(`hourglass_requests_shed_total{reason="${code}"}`)).toBe(1);
});
