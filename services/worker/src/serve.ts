import { runPart } from "@hourglass/runtime";
import { createAnalyses, type Analyses } from "./analyses.js";
import { WORKER_SETTINGS } from "./config.js";
import { buildExportWork } from "./export-worker.js";
import { buildInsightWork } from "./insight-worker.js";
import { buildOperationWork } from "./operation-worker.js";
import { needQueue, servicesWith, type WorkingService } from "./roles.js";
import { type BuildWork, WORKER_STORAGE } from "./worker-process.js";

const BUILD: Readonly<Record<WorkingService, BuildWork>> = {
  operation: buildOperationWork,
  insight: buildInsightWork,
  export: buildExportWork,
};

/** Threads and processes are started once, even if the build is repeated. */
let analyses: (() => Promise<Analyses>) | undefined;

/** Entry point of a process with the roles in WORKER_ROLES. Any number of such processes may run side by side. */
runPart({
  name: "worker",
  settings: WORKER_SETTINGS,
  grpcPort: 50_060,
  opsPort: 9110,
  services: [],
  storage: WORKER_STORAGE,
  furtherStorage: ({ work }) => (needQueue(work.roles) ? ["queue"] : []),
  build: async (part) => {
    analyses ??= createAnalyses(part);
    const process = { ...part, analyses };
    const services = servicesWith(part.config.work.roles);
    const starts = await Promise.all(services.map((service) => BUILD[service](process)));
    return {
      routes: [],
      start: () => {
        for (const start of starts) start();
      },
    };
  },
});
