import { fileURLToPath } from "node:url";
import { FairLimit, type Owner } from "@hourglass/runtime/fair-limit";
import { Piscina } from "piscina";
import type { EngineSettings } from "../types.js";
import { forbidTelemetry } from "../engines/onnx-runtime.js";
import { reasonOf, type TextualAnalysis } from "../registry/analyses.js";
import type { AnalyzerStatus } from "../registry/textual-registry.js";
import {
  type AnalysisTiming,
  BatchCutter,
  type BatchSize,
  placeResults,
  SIZE_MAX,
  type TextAnalysis,
  type TimedAnalyses,
} from "./analyze-texts.js";
import {
  type Batch,
  type BatchGate,
  blockWhileRunning,
  cancelBatch,
  createGate,
  type ThreadStart,
  untilNoneRunning,
} from "./text-jobs.js";

export interface AnalysisPoolOptions extends EngineSettings {
  /** Number of concurrent threads; they start on first use. */
  threads: number;
  /** Heap of one thread; a text that needs more ends the thread and gets its own error. */
  heapMaxMb?: number;
  /** Module that the threads run instead of the built one. */
  worker?: URL;
}

export interface PoolAnalyzeOptions {
  /** Whether results name the parts of the text that they rest on. */
  explain?: boolean;
  /** ISO 639-1: the language of all texts, if it is known. By default, that of each is detected. */
  language?: string | undefined;
  /** Owner of the texts; the threads are shared fairly between owners. Default: one for all. */
  owner?: Owner;
  /**
   * Whether texts in the foreground go first. Default: no. After a small request in the foreground, those in the
   * background leave a thread free for a while. If foreground texts wait all the time, a small batch of the background
   * is analyzed every half second anyway.
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
const WORKER = new URL("./text-worker.js", import.meta.url);

/** Starts a pool; threads and models are created when the first texts arrive. */
export const createAnalysisPool = (options: AnalysisPoolOptions): AnalysisPool => {
  const { threads: count, heapMaxMb = HEAP_MAX_MB, worker = WORKER, ...settings } = options;
  forbidTelemetry();
  const threads = new BatchThreads({ worker, threads: count, heapMaxMb, settings });
  const share = new BackgroundShare(count);
  const limit = new FairLimit({
    // Two batches per thread keep the threads busy; more would let one owner's texts delay everybody else's.
    places: count * 2,
    backgroundPlaces: () => share.threadsMax,
    backgroundEveryMs: BACKGROUND_EVERY_MS,
  });
  let busy = 0;
  const runner = new BatchRunner(threads);
  return {
    async analyze(texts, analyses, options = {}) {
      const { explain = false, language, owner = "", background = false, signal, onTimed } = options;
      if (!background) share.noteForeground(texts.length);
      const admittance = { signal, rank: background ? "background" : "foreground" } as const;
      const entries = new Array<TextAnalysis>(texts.length);
      const cutter = new BatchCutter(texts);
      const analyzeRest = async (): Promise<void> => {
        if (cutter.isDone) return;
        signal?.throwIfAborted();
        const release = await limit.acquire(owner, admittance);
        // Cut only now, since its size depends on what came meanwhile.
        const batch = cutter.next(background ? share.batchSize(busy) : SIZE_MAX);
        const rest = analyzeRest();
        rest.catch(() => undefined); // awaited below, unless this batch is rejected
        busy += 1;
        try {
          const job = { batch: { texts: batch.texts, analyses, explain, language }, signal };
          placeResults(await runner.entriesOf(job, onTimed), batch, entries);
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
      runner.refuse();
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

/** A batch to analyze, unless the signal aborts before it begins. */
interface Job {
  batch: Batch;
  signal: AbortSignal | undefined;
}

/** Has batches analyzed by threads that a text may end. */
class BatchRunner {
  private closed = false;

  constructor(private readonly threads: BatchThreads) {}

  /** One entry per text. If the batch ends its thread, each text is analyzed alone, so that only the faulty ones fail. */
  async entriesOf(job: Job, onTimed: ((timing: AnalysisTiming) => void) | undefined): Promise<TextAnalysis[]> {
    if (this.closed) throw new Error("the analysis pool is closed");
    try {
      const { entries, timings } = await this.run(job);
      if (onTimed !== undefined) timings.forEach(onTimed);
      return entries;
    } catch (error) {
      if (this.isOver(job)) throw error;
      const alone: TextAnalysis[] = [];
      for (const text of job.batch.texts) alone.push(await this.runAlone(text, job));
      return alone;
    }
  }

  /** Rejects all further batches, and those that fail from now on. */
  refuse(): void {
    this.closed = true;
  }

  private async runAlone(text: string, job: Job): Promise<TextAnalysis> {
    const { batch, signal } = job;
    try {
      const { entries } = await this.run({ batch: { ...batch, texts: [text] }, signal });
      return entries[0] ?? allFailed(batch.analyses, "the analysis returned nothing");
    } catch (error) {
      if (this.isOver(job)) throw error;
      return allFailed(batch.analyses, `the analysis thread failed on this text: ${reasonOf(error)}`);
    }
  }

  /** Whether no caller waits for the job. */
  private isOver({ signal }: Job): boolean {
    return this.closed || signal?.aborted === true;
  }

  /** The worker's own signature guarantees the type; structured cloning preserves it. */
  private run({ batch, signal }: Job): Promise<TimedAnalyses> {
    return this.threads.run("analyzeBatch", batch, signal) as Promise<TimedAnalyses>;
  }
}

const allFailed = (analyses: readonly TextualAnalysis[], reason: string): TextAnalysis => ({
  results: {},
  errors: Object.fromEntries(analyses.map((type) => [type, reason])),
  models: {},
  language: "und",
  supported: {},
});

/** Without foreground texts, batches are as large as allowed: small batches take more time per text. */
const UNCONTESTED = SIZE_MAX;
/**
 * About 30 ms of work: a batch on the last free thread delays foreground texts that arrive meanwhile. The shortest texts
 * first, since a single long one may take a second; other threads take those.
 */
const ON_LAST_THREAD: BatchSize = { texts: 8, characters: 2_000, shortest: true };
/** About 15 ms, while foreground texts arrive: their threads share cores with this one. */
const BESIDE_FOREGROUND: BatchSize = { texts: 4, characters: 1_000 };
/** About 8 ms, if all foreground texts that arrive have to wait for this thread. */
const BEFORE_FOREGROUND: BatchSize = { texts: 2, characters: 500, shortest: true };

/** Foreground texts are expected again within this time after the last ones, in milliseconds. */
const FOREGROUND_MS = 10_000;

/**
 * Decides how much of the threads the background gets. Waiting for a thread is noticeable only in requests of few texts:
 * for ten seconds after one in the foreground, the background leaves a thread free for the next.
 */
export class BackgroundShare {
  private foregroundAt = -Infinity;

  constructor(
    private readonly threads: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Notes texts in the foreground. */
  noteForeground(texts: number): void {
    if (texts <= SIZE_MAX.texts) this.foregroundAt = this.now();
  }

  /** While this many batches are running, none begins in the background. */
  get threadsMax(): number {
    return this.foregroundExpected ? Math.max(1, this.threads - 1) : this.threads;
  }

  /** Size of a batch that begins while `busy` others are running. */
  batchSize(busy: number): BatchSize {
    const isLastThread = busy >= this.threads - 1;
    if (this.foregroundExpected) return isLastThread ? BEFORE_FOREGROUND : BESIDE_FOREGROUND;
    return isLastThread ? ON_LAST_THREAD : UNCONTESTED;
  }

  private get foregroundExpected(): boolean {
    return this.now() - this.foregroundAt < FOREGROUND_MS;
  }
}

interface BatchThreadsOptions {
  /**
   * Module that the threads run; each exported function takes a job and passes the job's gate. Its `workerData` are the
   * settings, and `start`, a ThreadStart.
   */
  worker: URL;
  threads: number;
  heapMaxMb: number;
  settings: EngineSettings;
}

/** Maximum wait for a running batch when the process exits; aborting the process is better than hanging. */
const EXIT_WAIT_MS = 3_000;

/** Node's default of 48 MB per thread is no faster here. */
const YOUNG_MAX_MB = 3;

/** Threads that are never ended in the middle of a job. They start on first use. */
class BatchThreads {
  private readonly piscina: Piscina;
  private readonly loading: readonly BatchGate[];
  private readonly running = new Map<BatchGate, Promise<unknown>>();

  constructor({ worker, threads, heapMaxMb, settings }: BatchThreadsOptions) {
    this.loading = Array.from({ length: threads - 1 }, createGate);
    const start: ThreadStart = {
      started: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
      loading: this.loading,
    };
    const ready = new Set<number>();
    this.piscina = new Piscina({
      filename: fileURLToPath(worker),
      workerData: { ...settings, start },
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: Infinity,
      // By default a job that waits goes to the end of the queue, or to a thread that is still loading its models.
      stricterFIFO: true,
      loadBalancer: (_, workers) =>
        workers.find(({ id, currentUsage }) => currentUsage === 0 && (ready.size === 0 || ready.has(id))) ?? null,
      resourceLimits: { maxOldGenerationSizeMb: heapMaxMb, maxYoungGenerationSizeMb: YOUNG_MAX_MB },
    });
    this.piscina.on("workerCreate", ({ id }: { id: number }) => ready.add(id));
    this.piscina.on("workerDestroy", ({ id }: { id: number }) => ready.delete(id));
    // A dying thread rejects its own job, which is handled there; without a listener, this event would end the process.
    this.piscina.on("error", () => undefined);
    process.on("exit", this.beforeExit);
  }

  /**
   * Calls a function of the worker module. Rejects if the thread dies, if the function throws, and if the job was
   * canceled before it began because the signal aborted or the threads are closing.
   */
  async run(name: string, job: object, signal?: AbortSignal): Promise<unknown> {
    const gate = createGate();
    const cancel = (): void => cancelBatch(gate);
    signal?.addEventListener("abort", cancel, { once: true });
    const result: Promise<unknown> = this.piscina.run({ ...job, gate }, { name });
    this.running.set(gate, result);
    try {
      return await result;
    } finally {
      this.running.delete(gate);
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Cancels the jobs that have not begun, waits for the others, and ends the threads. */
  async close(): Promise<void> {
    this.cancelAll();
    await Promise.allSettled(this.running.values());
    await untilNoneRunning(this.loading);
    await this.piscina.destroy();
    process.off("exit", this.beforeExit);
  }

  private get gates(): BatchGate[] {
    return [...this.running.keys(), ...this.loading];
  }

  private cancelAll(): void {
    for (const gate of this.gates) cancelBatch(gate);
  }

  /** process.exit ends the threads, too, and listeners of `exit` can only wait by blocking. */
  private readonly beforeExit = (): void => {
    this.cancelAll();
    blockWhileRunning(this.gates, EXIT_WAIT_MS);
  };
}
