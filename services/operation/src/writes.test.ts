import { expect, it, onTestFinished, vi } from "vitest";
import { ended, OperationHarness, texts } from "./testing/operation-harness.js";

it("stores an operation of one text, claims it and ends it: three writes", async () => {
  const harness = await OperationHarness.open();
  onTestFinished(() => harness.close());
  harness.process.start();
  const run = async (text: string) => ended(harness.client, (await harness.client.createOperation(texts([text]))).id);
  await run("The first one finds everything opened.");
  const writes = vi.spyOn(harness.storage.store.database, "write");
  await run("I love it.");
  expect(writes).toHaveBeenCalledTimes(3);
});
