import type { TextAnalyst } from "@hourglass/analysis";
import { buildOperationService, operationSettings } from "@hourglass/operation";
import { runPart } from "@hourglass/runtime";

/** Duration of an analysis that uses no processor time of this machine. */
const WAIT_MS = 50;

const pool: TextAnalyst = {
  analyze: async (texts) => {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    return texts.map(() => ({
      results: { "sentiment-simple": { value: "neutral", prob: 0.5 } },
      errors: {},
      models: {},
      language: "en",
      supported: {},
    }));
  },
};

/** A worker whose analysis only waits, which leaves the cost of queue, store and leases. */
runPart({
  name: "stub-worker",
  settings: { operation: operationSettings },
  grpcPort: 0,
  opsPort: 0,
  services: [],
  storage: ["store", "queue"],
  build: async ({ storage, config, log, lifecycle }) => {
    const operations = await buildOperationService({ ...storage, pool, config: config.operation, log });
    const start = () => {
      for (const part of [operations.startSweeper(), operations.startWorker()]) {
        lifecycle.addWork("worker", (graceMs) => part.stop(graceMs));
      }
    };
    return { routes: [], start };
  },
});
