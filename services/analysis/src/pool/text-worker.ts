import { constants, setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import type { EngineSettings } from "../types.js";
import { createAnalyzers } from "../registry/textual-registry.js";
import { createBatchFunctions, loadAhead, type ThreadStart } from "./text-jobs.js";

lowerPriority();

const { start, ...settings } = workerData as EngineSettings & { start: ThreadStart };
const analyzers = createAnalyzers(settings);
await loadAhead(start, analyzers);

export const { analyzeBatch, describeBatch } = createBatchFunctions(analyzers);

/**
 * Where all cores are busy, the event loop of the process goes first: it answers requests, and a thread that analyzes
 * would otherwise make each of its turns last twice as long.
 */
function lowerPriority(): void {
  // Elsewhere a process has one priority for all its threads.
  if (process.platform !== "linux") return;
  try {
    // 0 is the calling thread; threads that its models start later inherit it.
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may forbid it. Texts are analyzed anyway.
  }
}
