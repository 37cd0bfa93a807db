import { createAnalysisPool, watchAnalyzers, type AnalysisPool } from "@hourglass/analysis";
import { runPart } from "@hourglass/runtime";
import { buildOperationService } from "./index.js";

/** One for all attempts to build, since it starts threads. */
let pool: AnalysisPool | undefined;

/** Entry of a process that does the jobs of WORKER_ROLES. As many as there is work for may run side by side. */
runPart({
  name: "worker",
  grpcPort: 50_060,
  opsPort: 9110,
  services: [],
  storage: ["store", "queue"],
  build: async ({ storage, config, log, lifecycle, metrics, dependencies }) => {
    const analysis = (pool ??= createAnalysisPool(config.analysis));
    const operations = await buildOperationService({
      ...storage,
      pool: analysis,
      config: config.operation,
      log,
      metrics,
    });
    const start = () => {
      lifecycle.add("analysis", () => analysis.close());
      for (const role of config.workerRoles) {
        const part = role === "operation.run" ? operations.startWorker() : operations.startSweeper();
        lifecycle.add(role, (graceMs) => part.stop(graceMs));
      }
      if (config.workerRoles.includes("operation.run"))
        dependencies.know(watchAnalyzers(analysis, log, config.analysis));
    };
    return { routes: [], start };
  },
});
