import { workerData } from "node:worker_threads";
import type { EngineSettings } from "../types.js";
import { createBatchFunctions } from "../pool/text-jobs.js";
import { createAnalyzers } from "../registry/textual-registry.js";
import { WITH_TOY } from "./toy-analysis.js";

export const { analyzeBatch, describeBatch } = createBatchFunctions(
  createAnalyzers(workerData as EngineSettings, WITH_TOY),
);
