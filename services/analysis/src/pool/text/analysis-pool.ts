import type { TextualAnalysis } from "../../registry/analyses.js";
import { FairLimit, type Owner } from "@hourglass/runtime/fair-limit";
import type { AnalysisTiming, TextAnalysis } from "./analyze-texts.js";
import { createBatchThreads } from "./batch-threads.js";
import type { EngineSettings } from "../../engine-settings.js";
import { createRun } from "./run-batch.js";
import { BackgroundShare } from "./background-share.js";
import { BatchCutter, putBack, SIZE_MAX } from "./pool-batches.js";
import { forbidTelemetry } from "../../engines/onnx-runtime.js";
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
  /**
   * Whether texts in the foreground go first. Default: no. After a small request in the foreground, those in the
   * background leave a thread free for a while. If foreground texts wait all the time, a small batch of the background
   * is analysed every half second nevertheless.
   */
  background?: boolean;
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
/** The background waits at most this long while texts in the foreground go first, in milliseconds. */
const BACKGROUND_EVERY_MS = 500;
const WORKER = new URL("./pool-worker.js", import.meta.url);

/** Starts a pool; threads and models are created when the first texts arrive. */
export const createAnalysisPool = (options: AnalysisPoolOptions): AnalysisPool => {
  const { threads: count, heapMaxMb = HEAP_MAX_MB, worker = WORKER, ...settings } = options;
  forbidTelemetry();
  const threads = createBatchThreads({ worker, threads: count, heapMaxMb, settings });
  // Two batches per thread keep the threads busy; more would let one owner's texts delay everybody else's.
  const inHand = count * 2;
  const share = new BackgroundShare(count);
  const limit = new FairLimit({
    places: inHand,
    backgroundPlaces: () => share.threadsMax,
    backgroundEveryMs: BACKGROUND_EVERY_MS,
  });
  let busy = 0;
  const run = createRun(threads);
  return {
    async analyze(texts, analyses, { explain = false, owner = "", background = false, signal, onTimed } = {}) {
      if (!background) share.noteOthers(texts.length);
      const admittance = { signal, rank: background ? "background" : "foreground" } as const;
      const entries = new Array<TextAnalysis>(texts.length);
      const cutter = new BatchCutter(texts);
      const analyzeRest = async (): Promise<void> => {
        if (cutter.isDone) return;
        signal?.throwIfAborted();
        const release = await limit.acquire(owner, admittance);
        // Cut only now, since its size depends on what came meanwhile.
        const batch = cutter.next(background ? share.sizeBeside(busy) : SIZE_MAX);
        const rest = analyzeRest();
        rest.catch(() => undefined); // awaited below, unless this batch is rejected
        busy += 1;
        try {
          const job = { batch: { texts: batch.texts, analyses, explain }, signal };
          putBack(await run.entriesOf(job, onTimed), batch, entries);
        } finally {
          busy -= 1;
          release();
        }
        await rest;
      };
      await unlessAborted(analyzeRest(), signal);
      return entries;
    },
    analyzers: () => threads.run("describeBatch", {}) as Promise<AnalyzerStatus[]>,
    async close() {
      run.refuse();
      await threads.close();
    },
  };
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
