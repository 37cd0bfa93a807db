import type { TextualAnalysis } from "../../registry/analyses.js";
import { analyzeBatch, type TimedAnalyses } from "./analyze-texts.js";
import type { AnalyzerStatus, Analyzers } from "../../registry/textual-registry.js";
import { type BatchGate, throughGate } from "./batch-gate.js";

/** The job that the pool passes to a thread. */
export interface Batch {
  texts: readonly string[];
  analyses: readonly TextualAnalysis[];
  explain: boolean;
}

/** What the pool adds to every job. */
export interface Gated {
  gate: BatchGate;
}

/** The functions that a thread of the pool exports; the pool calls them by name. */
export interface BatchFunctions {
  readonly analyzeBatch: (job: Batch & Gated) => Promise<TimedAnalyses>;
  readonly describeBatch: (job: Gated) => Promise<AnalyzerStatus[]>;
}

export const createBatchFunctions = (analyzers: Analyzers): BatchFunctions => ({
  analyzeBatch: ({ texts, analyses, explain, gate }) =>
    throughGate(gate, () => analyzeBatch(texts, { analyzers, analyses, explain })),
  describeBatch: ({ gate }) => throughGate(gate, () => analyzers.describe()),
});
