import { workerData } from "node:worker_threads";
import type { EngineSettings } from "../../engine-settings.js";
import { createAnalyzers } from "../../registry/textual-registry.js";
import { createBatchFunctions } from "./batch-functions.js";

export const { analyzeBatch, describeBatch } = createBatchFunctions(createAnalyzers(workerData as EngineSettings));
