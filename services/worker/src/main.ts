import { ALL_PARTS, runPart } from "@hourglass/runtime";
import { createAnalyses, type Analyses } from "./analyses.js";
import { WORKER_SETTINGS } from "./config.js";
import { operationWorker } from "./operation-worker.js";
import type { WorkerService } from "./worker-service.js";

/** All services that export roles. */
const SERVICES: readonly WorkerService[] = [operationWorker];

/** Threads and processes are started once, even if the build is repeated. */
let analyses: (() => Analyses) | undefined;

/** Entry point of a process with the roles in WORKER_ROLES. Any number of such processes may run side by side. */
runPart({
  name: "worker",
  settings: WORKER_SETTINGS,
  grpcPort: 50_060,
  opsPort: 9110,
  services: [],
  storage: ALL_PARTS,
  build: async (part) => {
    analyses ??= createAnalyses(part);
    const process = { ...part, analyses };
    const needed = SERVICES.filter(({ roles }) => roles.some((role) => part.config.work.roles.includes(role)));
    const starts = await Promise.all(needed.map((service) => service.build(process)));
    return {
      routes: [],
      start: () => {
        for (const start of starts) start();
      },
    };
  },
});
