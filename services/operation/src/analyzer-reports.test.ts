import type { ModelStates } from "@hourglass/analysis";
import { AnalyzerState } from "@hourglass/proto/operation/v1/operation_service";
import { afterEach, expect, it, vi } from "vitest";
import { OperationHarness, type OperationClient } from "./testing/operation-harness.js";

const { READY, LOADING, MISSING } = AnalyzerState;

let harness: OperationHarness;
afterEach(() => harness.close());

let ahead = 0;
const clock = () => Date.now() + ahead;

/** A process that only serves, and workers beside it with these states. */
async function open(...workers: ModelStates[]): Promise<OperationClient> {
  ahead = 0;
  harness = await OperationHarness.open({ clock });
  for (const states of workers) (await harness.another({ states: () => states })).start("worker");
  await vi.waitFor(async () => expect(await harness.collections.analyzerReports.count({})).toBe(workers.length));
  return harness.client;
}

async function statesIn(client: OperationClient): Promise<Record<string, AnalyzerState>> {
  const { analyzers } = await client.listAnalyzers({});
  return Object.fromEntries(analyzers.map(({ type, state }) => [type, state]));
}

it("says of each analysis what a worker says of it", async () => {
  const reason = "its model is absent: run npm run models -- pull topic";
  const client = await open({
    "analysis:intention": { state: "ready", engine: "accurate", id: "intention-encoder", version: "3" },
    "analysis:topic": { state: "missing", engine: "models", reason },
    "media:ffmpeg": { state: "ready", engine: "builtin", warning: "it dates from 2018" },
  });
  const { analyzers } = await client.listAnalyzers({});
  expect(analyzers).toMatchObject([
    {
      type: "intention",
      state: READY,
      engine: "accurate",
      model: { id: "intention-encoder", version: "3" },
      reason: "",
    },
    { type: "topic", state: MISSING, engine: "models", reason },
    { type: "ffmpeg", state: READY, reason: "it dates from 2018" },
  ]);
  expect(analyzers[1]).not.toHaveProperty("model.id");
});

it("says of all of a kind what a worker says of all", async () => {
  const states = await statesIn(await open({ models: { state: "loading" }, media: { state: "missing" } }));
  expect(states).toMatchObject({ topic: LOADING, intention: LOADING, "face-id": MISSING, ffmpeg: MISSING });
});

it("calls missing what any worker misses, and loading what none has loaded", async () => {
  const [ready, loading, missing] = (["ready", "loading", "missing"] as const).map((state) => ({ state }));
  const states = await statesIn(
    await open(
      { "analysis:topic": ready!, "analysis:intention": ready!, "analysis:caption": loading! },
      { "analysis:topic": missing!, "analysis:intention": loading!, "analysis:caption": loading! },
    ),
  );
  expect(states).toEqual({ topic: MISSING, intention: READY, caption: LOADING });
});

it("forgets a worker that has stopped, and one that died", async () => {
  const client = await open({ "analysis:topic": { state: "ready" } }, { "analysis:intention": { state: "ready" } });
  await harness.processes[1]?.stop();
  expect(await statesIn(client)).toEqual({ intention: READY });
  ahead = 60_000;
  expect(await statesIn(client)).toEqual({});
});
