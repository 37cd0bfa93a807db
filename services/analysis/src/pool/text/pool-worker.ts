import { workerData } from "node:worker_threads";
import { analyzeBatch as analyze, type TimedAnalyses } from "./analyze-texts.js";
import type { TextualAnalysis } from "../../analyzer.js";
import { type BatchGate, throughGate } from "./batch-gate.js";
import type { EngineSettings } from "../../engine-settings.js";
import { type AnalyzerStatus, createAnalyzers } from "../../registry/textual-registry.js";

/** The job that the pool passes to a thread. */
export interface Batch {
  texts: readonly string[];
  analyses: readonly TextualAnalysis[];
  explain: boolean;
}

interface Gated {
  gate: BatchGate;
}

const analyzers = createAnalyzers(workerData as EngineSettings);

/** Runs in a thread of the pool, called by name. */
export const analyzeBatch = ({ texts, analyses, explain, gate }: Batch & Gated): Promise<TimedAnalyses> =>
  throughGate(gate, () => analyze(texts, { analyzers, analyses, explain }));

/** Runs in a thread of the pool, called by name. */
export const describeBatch = ({ gate }: Gated): Promise<AnalyzerStatus[]> =>
  throughGate(gate, () => analyzers.describe());
