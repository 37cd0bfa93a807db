import { setTimeout as sleep } from "node:timers/promises";
import { TEXTUAL_ANALYSES, type TextualAnalysis } from "../registry/analyses.js";
import type { Analyzers, AnalyzerStatus } from "../registry/textual-registry.js";
import { analyzeBatch, type TimedAnalyses } from "./analyze-texts.js";

/** The job that the pool passes to a thread. */
export interface Batch {
  texts: readonly string[];
  analyses: readonly TextualAnalysis[];
  explain: boolean;
  /** Of all texts, if it is known; detected otherwise. */
  language?: string | undefined;
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

/** What a thread learns from the pool when it starts. */
export interface ThreadStart {
  /** Number of threads that were started. */
  started: Int32Array<SharedArrayBuffer>;
  /** For each thread but the first: the gate for loading its models. */
  loading: readonly BatchGate[];
}

/** In the language of most texts. */
const FIRST_TEXT = "We read a text about the museum in Lisbon, so that all models are loaded.";

/**
 * Loads all models of a thread before it takes work, unless it is the first one: while another thread loads, the first
 * finishes sooner what a request waits for.
 */
export const loadAhead = async ({ started, loading }: ThreadStart, analyzers: Analyzers): Promise<void> => {
  const gate = loading[Atomics.add(started, 0, 1) - 1];
  if (gate === undefined) return;
  const all = { analyzers, analyses: TEXTUAL_ANALYSES, explain: false };
  // Some load on the first text. A closing pool cancels it.
  await runThroughGate(gate, () => analyzeBatch([FIRST_TEXT], all)).catch(() => undefined);
};

export const createBatchFunctions = (analyzers: Analyzers): BatchFunctions => ({
  analyzeBatch: ({ texts, analyses, explain, language, gate }) =>
    runThroughGate(gate, () => analyzeBatch(texts, { analyzers, analyses, explain, language })),
  describeBatch: ({ gate }) => runThroughGate(gate, () => analyzers.describe()),
});

/**
 * Shares the state of a batch across threads: it can be canceled while it waits, and awaited while it runs. Ending a
 * thread inside a native library aborts the whole process, so check the gate before ending threads.
 */
export type BatchGate = Int32Array<SharedArrayBuffer>;

const WAITING = 0;
const RUNNING = 1;
const DONE = 2;
const CANCELED = 3;

export const createGate = (): BatchGate => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** For the thread: runs the work unless it was canceled, and prevents the end of the thread meanwhile. */
const runThroughGate = async <T>(gate: BatchGate, work: () => Promise<T>): Promise<T> => {
  if (Atomics.compareExchange(gate, 0, WAITING, RUNNING) !== WAITING) throw new Error("the batch was canceled");
  try {
    return await work();
  } finally {
    Atomics.store(gate, 0, DONE);
    Atomics.notify(gate, 0);
  }
};

/** Cancels a batch that has not begun. */
export const cancelBatch = (gate: BatchGate): void => {
  Atomics.compareExchange(gate, 0, WAITING, CANCELED);
};

const POLL_MS = 10;

/** Resolves when none of the batches runs. */
export const untilNoneRunning = async (gates: Iterable<BatchGate>): Promise<void> => {
  for (const gate of gates) while (Atomics.load(gate, 0) === RUNNING) await sleep(POLL_MS);
};

/** Blocks the calling thread until none of the batches runs, or until the timeout. */
export const blockWhileRunning = (gates: Iterable<BatchGate>, timeoutMs: number): void => {
  const until = performance.now() + timeoutMs;
  for (const gate of gates) Atomics.wait(gate, 0, RUNNING, Math.max(0, until - performance.now()));
};
