import { setTimeout as sleep } from "node:timers/promises";

/**
 * Shares the state of a batch across threads: it can be cancelled while it waits, and awaited while it runs. Ending a
 * thread inside a native library aborts the whole process, so check the gate before ending threads.
 */
export type BatchGate = Int32Array<SharedArrayBuffer>;

const WAITING = 0;
const RUNNING = 1;
const DONE = 2;
const CALLED_OFF = 3;

export const createGate = (): BatchGate => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** For the thread: runs the work unless it was cancelled, and prevents the end of the thread meanwhile. */
export const throughGate = async <T>(gate: BatchGate, work: () => Promise<T>): Promise<T> => {
  if (Atomics.compareExchange(gate, 0, WAITING, RUNNING) !== WAITING) throw new Error("the batch was called off");
  try {
    return await work();
  } finally {
    Atomics.store(gate, 0, DONE);
    Atomics.notify(gate, 0);
  }
};

/** Cancels a batch that has not begun. */
export const callOff = (gate: BatchGate): void => {
  Atomics.compareExchange(gate, 0, WAITING, CALLED_OFF);
};

const LOOK_EVERY_MS = 10;

/** Resolves when none of the batches runs. */
export const untilNoneRuns = async (gates: Iterable<BatchGate>): Promise<void> => {
  for (const gate of gates) while (Atomics.load(gate, 0) === RUNNING) await sleep(LOOK_EVERY_MS);
};

/** Blocks the calling thread until none of the batches runs, or until the timeout. */
export const blockWhileRunning = (gates: Iterable<BatchGate>, timeoutMs: number): void => {
  const until = performance.now() + timeoutMs;
  for (const gate of gates) Atomics.wait(gate, 0, RUNNING, Math.max(0, until - performance.now()));
};
