import {
  createAnalysisPool,
  createMediaPool,
  watchAnalyzers,
  watchMedia,
  type AnalysisPool,
  type MediaPool,
} from "@hourglass/analysis";
import { runPart } from "@hourglass/runtime";
import { buildOperationService, openFileAnalyst } from "./index.js";

/** One of each for all attempts to build, since they start threads and processes. */
let pool: AnalysisPool | undefined;
let mediaPool: MediaPool | undefined;

/** Entry of a process that does the jobs of WORKER_ROLES. As many as there is work for may run side by side. */
runPart({
  name: "worker",
  grpcPort: 50_060,
  opsPort: 9110,
  services: [],
  storage: ["store", "queue", "blobs"],
  build: async ({ storage, config, log, lifecycle, metrics, dependencies }) => {
    const texts = (pool ??= createAnalysisPool(config.analysis));
    const media = (mediaPool ??= createMediaPool({ ...config.analysis, log }));
    const operations = await buildOperationService({
      ...storage,
      pool: texts,
      files: await openFileAnalyst({ config, blobs: storage.blobs, pool: media, lifecycle, log }),
      config: config.operation,
      log,
      metrics,
    });
    const start = () => {
      lifecycle.add("analysis", () => texts.close());
      lifecycle.add("analysis of files", () => media.close());
      for (const role of config.workerRoles) {
        const part = role === "operation.run" ? operations.startWorker() : operations.startSweeper();
        lifecycle.add(role, (graceMs) => part.stop(graceMs));
      }
      if (!config.workerRoles.includes("operation.run")) return;
      dependencies.know(watchAnalyzers(texts, log, config.analysis));
      dependencies.know(watchMedia(media, log, config.analysis));
    };
    return { routes: [], start };
  },
});
