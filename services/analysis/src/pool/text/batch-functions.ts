import { TEXTUAL_ANALYSES, type TextualAnalysis } from "../../registry/analyses.js";
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

/** What the pool tells its threads about their start. */
export interface ThreadStart {
  /** Number of threads that were started. */
  started: Int32Array<SharedArrayBuffer>;
  /** For each thread but the first: the gate for loading its models. */
  loading: readonly BatchGate[];
}

/** In the language of most texts. */
const FIRST_TEXT = "We read a text about the museum in Lisbon, so that all models are loaded.";

/**
 * Loads all models of a thread before it takes work, unless it is the first one: as long as a further thread loads, the
 * first is sooner done with what a request waits for.
 */
export const loadAhead = async ({ started, loading }: ThreadStart, analyzers: Analyzers): Promise<void> => {
  const gate = loading[Atomics.add(started, 0, 1) - 1];
  if (gate === undefined) return;
  const all = { analyzers, analyses: TEXTUAL_ANALYSES, explain: false };
  // Some load on the first text. A closing pool calls it off.
  await throughGate(gate, () => analyzeBatch([FIRST_TEXT], all)).catch(() => undefined);
};

export const createBatchFunctions = (analyzers: Analyzers): BatchFunctions => ({
  analyzeBatch: ({ texts, analyses, explain, gate }) =>
    throughGate(gate, () => analyzeBatch(texts, { analyzers, analyses, explain })),
  describeBatch: ({ gate }) => throughGate(gate, () => analyzers.describe()),
});
