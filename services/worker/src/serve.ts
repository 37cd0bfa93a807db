import { ALL_PARTS, runPart } from "@hourglass/runtime";
import { buildWork, createAnalyses, WORKER_SETTINGS, type Analyses } from "./worker.js";

/** Threads and processes are started once, even if the build is repeated. */
let analyses: (() => Promise<Analyses>) | undefined;

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
    return { routes: [], start: await buildWork({ ...part, analyses }) };
  },
});
