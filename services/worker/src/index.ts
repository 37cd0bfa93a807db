export { createAnalyses, WORKER_SETTINGS, type Analyses } from "./worker.js";
