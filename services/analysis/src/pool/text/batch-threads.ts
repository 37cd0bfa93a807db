import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import type { ThreadStart } from "./batch-functions.js";
import { type BatchGate, blockWhileRunning, callOff, createGate, untilNoneRuns } from "./batch-gate.js";
import type { EngineSettings } from "../../engine-settings.js";

export interface BatchThreadsOptions {
  /**
   * Module that the threads run; each exported function takes a job and passes the job's gate. Its `workerData` are the
   * settings, and `start`, a ThreadStart.
   */
  worker: URL;
  threads: number;
  heapMaxMb: number;
  settings: EngineSettings;
}

/** Threads that are never ended in the middle of a job. */
export interface BatchThreads {
  /**
   * Calls a function of the worker module. Rejects if the thread dies, if the function throws, and if the job was
   * cancelled before it began because the signal aborted or the threads are closing.
   */
  run(name: string, job: object, signal?: AbortSignal): Promise<unknown>;
  /** Cancels the jobs that have not begun, waits for the others, and ends the threads. */
  close(): Promise<void>;
}

/** Maximum wait for a running batch when the process exits; aborting the process is better than hanging. */
const EXIT_WAIT_MS = 3_000;

/** Node's default of 48 MB per thread is no faster here. */
const YOUNG_MAX_MB = 3;

/** Threads start on first use. */
export const createBatchThreads = ({ worker, threads, heapMaxMb, settings }: BatchThreadsOptions): BatchThreads => {
  const start: ThreadStart = {
    started: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    loading: Array.from({ length: threads - 1 }, createGate),
  };
  const ready = new Set<number>();
  const piscina = new Piscina({
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
  piscina.on("workerCreate", ({ id }: { id: number }) => ready.add(id));
  piscina.on("workerDestroy", ({ id }: { id: number }) => ready.delete(id));
  // A dying thread rejects its own job, which is handled there; without a listener, this event would end the process.
  piscina.on("error", () => undefined);
  const underWay = new Map<BatchGate, Promise<unknown>>();
  const callOffAll = (): void => {
    for (const gate of [...underWay.keys(), ...start.loading]) callOff(gate);
  };
  // process.exit ends the threads, too, and listeners of `exit` can only wait by blocking.
  const beforeExit = (): void => {
    callOffAll();
    blockWhileRunning([...underWay.keys(), ...start.loading], EXIT_WAIT_MS);
  };
  process.on("exit", beforeExit);
  return {
    async run(name, job, signal) {
      const gate = createGate();
      const stop = (): void => callOff(gate);
      signal?.addEventListener("abort", stop, { once: true });
      const running: Promise<unknown> = piscina.run({ ...job, gate }, { name });
      underWay.set(gate, running);
      try {
        return await running;
      } finally {
        underWay.delete(gate);
        signal?.removeEventListener("abort", stop);
      }
    },
    async close() {
      callOffAll();
      await Promise.allSettled(underWay.values());
      await untilNoneRuns(start.loading);
      await piscina.destroy();
      process.off("exit", beforeExit);
    },
  };
};
