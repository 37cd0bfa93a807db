export { createAnalyses, type Analyses } from "./analyses.js";
export { WORKER_SETTINGS, type WorkerConfig } from "./config.js";
