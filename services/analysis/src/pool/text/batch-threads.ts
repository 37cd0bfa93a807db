import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { type BatchGate, blockWhileRunning, callOff, createGate } from "./batch-gate.js";
import type { EngineSettings } from "../../engine-settings.js";

export interface BatchThreadsOptions {
  /** Module the threads run; each function it exports takes a job and goes through the job's gate. */
  worker: URL;
  threads: number;
  heapMaxMb: number;
  settings: EngineSettings;
}

/** Threads that take jobs, and that are never ended in the middle of one. */
export interface BatchThreads {
  /**
   * Calls a function of the worker module. Rejects when the thread dies, when it throws, and when the job was called off
   * because the signal aborted or the threads are closing before it began.
   */
  run(name: string, job: object, signal?: AbortSignal): Promise<unknown>;
  /** Calls off what has not begun, waits for the rest, and ends the threads. */
  close(): Promise<void>;
}

/** What one batch may take that is running when the process exits; an abort of the process is better than a hang. */
const EXIT_WAIT_MS = 3_000;

/** Node's 48 MB of each thread buy no speed here. */
const YOUNG_MAX_MB = 3;

/** Threads start on first use. */
export const createBatchThreads = ({ worker, threads, heapMaxMb, settings }: BatchThreadsOptions): BatchThreads => {
  const piscina = new Piscina({
    filename: fileURLToPath(worker),
    workerData: settings,
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: Infinity,
    resourceLimits: { maxOldGenerationSizeMb: heapMaxMb, maxYoungGenerationSizeMb: YOUNG_MAX_MB },
  });
  // A thread that dies rejects its own job, which is handled there; unheard, this event would end the process.
  piscina.on("error", () => undefined);
  const underWay = new Map<BatchGate, Promise<unknown>>();
  const callOffAll = (): void => {
    for (const gate of underWay.keys()) callOff(gate);
  };
  // process.exit ends the threads too, and listeners of `exit` cannot wait in any other way.
  const beforeExit = (): void => {
    callOffAll();
    blockWhileRunning(underWay.keys(), EXIT_WAIT_MS);
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
      await piscina.destroy();
      process.off("exit", beforeExit);
    },
  };
};
