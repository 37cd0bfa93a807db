import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ended, failureOf, OperationHarness, texts } from "./testing/operation-harness.js";
import { OperationRepository } from "./store.js";

let harness: OperationHarness;
const load = vi.spyOn(OperationRepository.prototype, "readFull");

beforeEach(async () => {
  harness = await OperationHarness.open();
  load.mockClear();
});
afterEach(() => harness.close());

const LARGE = Array.from({ length: 300 }, (_, index) => `text ${index}`);

async function create(contents: string[]): Promise<bigint> {
  return (await harness.client.createOperation(texts(contents))).id;
}

async function done(contents: string[]): Promise<bigint> {
  harness.process.start();
  const id = await create(contents);
  await ended(harness.client, id);
  load.mockClear();
  return id;
}

describe("reads of a large operation", () => {
  it("share one load, whoever of the company asks meanwhile, and get all of it", async () => {
    const id = await done(LARGE);
    const answers = await Promise.all(Array.from({ length: 40 }, () => harness.client.getOperation({ id })));
    expect(load.mock.calls.length).toBeLessThan(4);
    for (const { operation } of answers) {
      expect(operation?.data?.contents.map(({ content }) => content?.value.value)).toEqual(LARGE);
    }
  });

  it("load nothing without data, in whichever state it is", async () => {
    const id = await create(LARGE);
    const waiting = await harness.client.getOperation({ id, data: false });
    expect(waiting.operation).toMatchObject({ progress: { done: 0, total: 300 }, query: { contents: [] } });
    await harness.operations.update({ id: Number(id) }, { set: { status: "done", finishedAt: 1 } });
    await harness.client.getOperation({ id, data: false });
    expect(load).not.toHaveBeenCalled();
  });

  it("have all addresses of files without data, in their order", async () => {
    const addresses = Array.from({ length: 30 }, (_, index) => `https://example.com/${index}.png`);
    const contents = addresses.map((value) => ({ value: { case: "url" as const, value } }));
    const wanted = { type: OperationType.FILE, analyses: [AnalysisType.CAPTION], contents };
    const { id } = await harness.client.createOperation(wanted);
    const { operation } = await harness.client.getOperation({ id, data: false });
    expect(operation?.query?.contents.map(({ value }) => value.value)).toEqual(addresses);
  });

  it("load nothing for a caller who has left while it waited", async () => {
    const id = await create(LARGE);
    const gone = new AbortController();
    const reading = failureOf(harness.client.getOperation({ id, wait: 30 }, { signal: gone.signal }));
    gone.abort();
    expect((await reading).kind).toBe("cancelled");
    // A read after it is answered after it.
    await harness.client.getOperation({ id, data: false });
    expect(load).not.toHaveBeenCalled();
  });
});
