import { workerData } from "node:worker_threads";
import type { EngineSettings } from "../../engine-settings.js";
import { createAnalyzers } from "../../registry/textual-registry.js";
import { createBatchFunctions, loadAhead, type ThreadStart } from "./batch-functions.js";

const { start, ...settings } = workerData as EngineSettings & { start: ThreadStart };
const analyzers = createAnalyzers(settings);
await loadAhead(start, analyzers);

export const { analyzeBatch, describeBatch } = createBatchFunctions(analyzers);
