import { AnalysisType, OperationStatus, OperationType } from "@hourglass/proto/operation/v1/operation";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LANES } from "./run.js";
import {
  ended,
  Gate,
  holdUp,
  OperationHarness,
  type Process,
  publishRun,
  texts,
  waitingIn,
} from "./testing/operation-harness.js";

/** The company with the slow operations. */
const SLOW = 1;
const OTHER = 2;
/** Concurrent operations of one company in a worker. */
const PLACES = 2;

let harness: OperationHarness;
let gate: Gate;
beforeEach(async () => {
  harness = await OperationHarness.open({ config: { concurrency: PLACES } });
  gate = new Gate();
  hold(harness.process);
});
afterEach(async () => {
  gate.open();
  await harness.close();
});

/** Blocks the files of the slow company and texts that begin with "slow" at the gate. */
function hold({ files, pool }: Process): void {
  files.before = (_content, { companyId }) => (companyId === SLOW ? gate.pass() : undefined);
  pool.before = ([text = ""]) => (text.startsWith("slow") ? gate.pass() : undefined);
}

async function createFiles(companyId: number, name = "cat.png"): Promise<bigint> {
  const request = {
    type: OperationType.FILE,
    analyses: [AnalysisType.CAPTION],
    contents: [{ value: { case: "url" as const, value: `https://example.com/${name}` } }],
  };
  return (await harness.process.client(companyId).createOperation(request)).id;
}

async function createTexts(companyId: number, contents: readonly string[]): Promise<bigint> {
  return (await harness.process.client(companyId).createOperation(texts(contents))).id;
}

const many = (count: number, create: () => Promise<bigint>) => Promise.all(Array.from({ length: count }, create));
const large = (text: string) => Array.from({ length: 30 }, (_, index) => `${text} ${index}`);
const running = (companyId: number) => harness.operations.count({ companyId, status: "running" });
const endOf = async (companyId: number, id: bigint) => (await ended(harness.process.client(companyId), id)).status;

describe.each([
  ["files", () => createFiles(SLOW), () => createFiles(OTHER)],
  ["large texts", () => createTexts(SLOW, large("slow")), () => createTexts(OTHER, large("quick"))],
])("a company whose %s take long", (_what, createSlow, createQuick) => {
  it("keeps no texts waiting, neither its own nor another's", async () => {
    await many(6, createSlow);
    harness.process.start();
    await vi.waitFor(async () => expect(await running(SLOW)).toBe(PLACES));
    for (const company of [OTHER, SLOW]) {
      expect(await endOf(company, await createTexts(company, ["one"]))).toBe(OperationStatus.DONE);
    }
    expect(await running(SLOW)).toBe(PLACES);
  });

  it("leaves a place for those of another", async () => {
    await many(20, createSlow);
    harness.process.start();
    await vi.waitFor(async () => expect(await running(SLOW)).toBe(PLACES));
    expect(await endOf(OTHER, await createQuick())).toBe(OperationStatus.DONE);
    expect(await running(SLOW)).toBe(PLACES);
  });

  it("leaves one in each of several workers, and has all its operations carried out once in the end", async () => {
    const ids = await many(8, createSlow);
    harness.process.start();
    const second = (await harness.another({ config: { concurrency: PLACES } })).start("worker");
    hold(second);
    await vi.waitFor(async () => expect(await running(SLOW)).toBe(2 * PLACES));
    expect(await Promise.all((await many(3, createQuick)).map((id) => endOf(OTHER, id)))).toEqual(
      Array.from({ length: 3 }, () => OperationStatus.DONE),
    );
    expect(await running(SLOW)).toBe(2 * PLACES);
    gate.open();
    await Promise.all(ids.map(async (id) => expect(await endOf(SLOW, id)).toBe(OperationStatus.DONE)));
    const records = await harness.operations.find({ companyId: SLOW });
    expect(records.map(({ attempts, runs }) => [attempts, runs])).toEqual(ids.map(() => [1, 1]));
  });
});

it("does not keep files waiting behind large texts, nor the other way round", async () => {
  await many(6, () => createTexts(SLOW, large("slow")));
  harness.process.start();
  await vi.waitFor(async () => expect(await running(SLOW)).toBe(PLACES));
  await many(6, () => createFiles(SLOW));
  await vi.waitFor(async () => expect(await running(SLOW)).toBe(2 * PLACES));
});

it("lets a company's text pass its own backlog of files", async () => {
  await many(3, () => createFiles(SLOW));
  const gate = new Gate();
  harness.process.files.before = () => gate.pass();
  harness.process.start();
  expect(await endOf(SLOW, await createTexts(SLOW, ["one"]))).toBe(OperationStatus.DONE);
  gate.open();
});

it("keeps one message about an operation that waits for a place, however many there were", async () => {
  await many(PLACES, () => createFiles(SLOW));
  harness.process.start();
  await vi.waitFor(async () => expect(await running(SLOW)).toBe(PLACES));
  const waiting = Number(await createFiles(SLOW));
  for (let copy = 0; copy < 5; copy++) await publishRun(harness, waiting, LANES.files);
  // Those in progress and, unless it is put back at the moment, one more.
  await vi.waitFor(async () => {
    expect(await harness.storage.queue.depth(LANES.files.queue)).toBeLessThanOrEqual(PLACES + 1);
  });
  expect(await harness.operations.get(waiting)).toMatchObject({ runs: 0 });
});

it("brings to its own lane what a release with other lanes has put into another", async () => {
  const [files, texts] = [Number(await createFiles(OTHER)), Number(await createTexts(OTHER, large("quick")))];
  const laneKey = `${LANES.texts.name}:${OTHER}`;
  for (const id of [files, texts]) await harness.operations.update({ id }, { set: { laneKey } });
  harness.process.start("relay", "worker");
  for (const id of [files, texts]) expect(await endOf(OTHER, BigInt(id))).toBe(OperationStatus.DONE);
  expect(await harness.operations.get(files)).toMatchObject({ attempts: 1, runs: 2 });
});

it("publishes again what was lost, to its own queue", async () => {
  const id = await createFiles(OTHER);
  await harness.operations.update({ id: Number(id) }, { set: { status: "pending", dueAt: 1 } });
  harness.process.start("relay", "worker");
  expect(await endOf(OTHER, id)).toBe(OperationStatus.DONE);
});

it("does not let a company's backlog of files fill the queue before another's", async () => {
  await many(100, () => createFiles(SLOW));
  await createFiles(OTHER);
  await holdUp(harness, LANES.files);
  harness.process.start("relay");
  await vi.waitFor(async () => expect(await waitingIn(harness, LANES.files)).toHaveLength(8));
  expect((await waitingIn(harness, LANES.files)).filter(({ companyId }) => companyId === OTHER)).toHaveLength(1);
});
