import { FairLimit, type Owner } from "@hourglass/runtime/fair-limit";
import type { TextualAnalysis } from "../../analyzer.js";
import type { AnalysisTiming, TextAnalysis, TimedAnalyses } from "./analyze-texts.js";
import { type BatchThreads, createBatchThreads } from "./batch-threads.js";
import type { EngineSettings } from "../../engine-settings.js";
import { putBack, splitBatches, type TextBatch } from "./pool-batches.js";
import type { Batch } from "./pool-worker.js";
import { forbidTelemetry } from "../../engines/onnx-runtime.js";
import { reasonOf } from "../../registry/load-engine.js";
import type { AnalyzerStatus } from "../../registry/textual-registry.js";

export interface AnalysisPoolOptions extends EngineSettings {
  /** Number of concurrent threads; they start on first use. */
  threads: number;
  /** Heap of one thread; a text that needs more ends the thread and gets an error of its own. */
  heapMaxMb?: number;
  /** Module that the threads run instead of the built one. */
  worker?: URL;
}

export interface PoolAnalyzeOptions {
  /** Whether results name the parts of the text that they rest on. */
  explain?: boolean;
  /** Owner of the texts; the threads are shared fairly between owners. Default: one for all. */
  owner?: Owner;
  signal?: AbortSignal;
  /** Called for each analysis of each completed batch; a batch has at most 32 texts. */
  onTimed?: (timing: AnalysisTiming) => void;
}

/** Analyses texts. */
export interface TextAnalyst {
  /**
   * One entry per text, in order. Never rejects because of a text: its error is in the entry. Rejects if the signal
   * aborts or the pool closes.
   */
  analyze(
    texts: readonly string[],
    analyses: readonly TextualAnalysis[],
    options?: PoolAnalyzeOptions,
  ): Promise<TextAnalysis[]>;
}

/** Analyses texts in worker threads, so that the event loop of the caller stays free. */
export interface AnalysisPool extends TextAnalyst {
  /** Loads every analyzer in a thread and returns the status of each. Rejects only if no thread can be started. */
  analyzers(): Promise<AnalyzerStatus[]>;
  /** Waits for the batches in progress, then ends the threads. */
  close(): Promise<void>;
}

const HEAP_MAX_MB = 512;
const WORKER = new URL("./pool-worker.js", import.meta.url);

/** Starts a pool; threads and models are created when the first texts arrive. */
export const createAnalysisPool = (options: AnalysisPoolOptions): AnalysisPool => {
  const { threads: count, heapMaxMb = HEAP_MAX_MB, worker = WORKER, ...settings } = options;
  forbidTelemetry();
  const threads = createBatchThreads({ worker, threads: count, heapMaxMb, settings });
  // Two batches per thread keep the threads busy; more would let one owner's texts delay everybody else's.
  const inHand = count * 2;
  const limit = new FairLimit({ places: inHand });
  let closed = false;
  // A function, because the compiler does not see that the flag may change during an await.
  const isClosed = (): boolean => closed;
  const runAlone = async (text: string, { batch, signal }: Job): Promise<TextAnalysis> => {
    try {
      const { entries } = await runBatch(threads, { batch: { ...batch, texts: [text] }, signal });
      return entries[0] ?? allFailed(batch.analyses, "the analysis returned nothing");
    } catch (error) {
      if (isClosed() || signal?.aborted === true) throw error;
      return allFailed(batch.analyses, `the analysis thread failed on this text: ${reasonOf(error)}`);
    }
  };
  const run = async (job: Job, onTimed: PoolAnalyzeOptions["onTimed"]): Promise<TextAnalysis[]> => {
    if (isClosed()) throw new Error("the analysis pool is closed");
    try {
      const { entries, timings } = await runBatch(threads, job);
      if (onTimed !== undefined) timings.forEach(onTimed);
      return entries;
    } catch (error) {
      if (isClosed() || job.signal?.aborted === true) throw error;
      const alone: TextAnalysis[] = [];
      for (const text of job.batch.texts) alone.push(await runAlone(text, job));
      return alone;
    }
  };
  return {
    async analyze(texts, analyses, { explain = false, owner = "", signal, onTimed } = {}) {
      const batches = splitBatches(texts);
      const entries = new Array<TextAnalysis>(texts.length);
      const take = async (part: TextBatch): Promise<void> => {
        const job = { batch: { texts: part.texts, analyses, explain }, signal };
        putBack(await limit.run(owner, () => run(job, onTimed), signal), part, entries);
      };
      await unlessAborted(inLanes(batches, inHand, take, signal), signal);
      return entries;
    },
    analyzers: () => threads.run("describeBatch", {}) as Promise<AnalyzerStatus[]>,
    async close() {
      closed = true;
      await threads.close();
    },
  };
};

interface Job {
  batch: Batch;
  signal: AbortSignal | undefined;
}

/** The worker's own signature guarantees the type; structured cloning preserves it. */
const runBatch = (threads: BatchThreads, { batch, signal }: Job): Promise<TimedAnalyses> =>
  threads.run("analyzeBatch", batch, signal) as Promise<TimedAnalyses>;

const allFailed = (analyses: readonly TextualAnalysis[], reason: string): TextAnalysis => ({
  results: {},
  errors: Object.fromEntries(analyses.map((type) => [type, reason])),
  models: {},
  language: "und",
  supported: {},
});

/** Processes items in order, at most `lanes` at a time; starts no more once the signal aborts. */
const inLanes = async <T>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const queue = items.values();
  const lane = async (): Promise<void> => {
    for (const item of queue) {
      signal?.throwIfAborted();
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
};

/** Rejects immediately when the signal aborts; the running work continues and its result is ignored. */
const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return work;
  work.catch(() => undefined);
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
};
