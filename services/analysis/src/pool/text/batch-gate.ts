/**
 * Says across threads how far a batch is: it can be called off while it waits, and be waited for while it runs. To end a
 * thread inside a native library aborts the whole process, so whoever ends threads has to ask first.
 */
export type BatchGate = Int32Array<SharedArrayBuffer>;

const WAITING = 0;
const RUNNING = 1;
const DONE = 2;
const CALLED_OFF = 3;

export const createGate = (): BatchGate => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** For the thread: does the work, unless it was called off, and lets nobody end the thread meanwhile. */
export const throughGate = async <T>(gate: BatchGate, work: () => Promise<T>): Promise<T> => {
  if (Atomics.compareExchange(gate, 0, WAITING, RUNNING) !== WAITING) throw new Error("the batch was called off");
  try {
    return await work();
  } finally {
    Atomics.store(gate, 0, DONE);
    Atomics.notify(gate, 0);
  }
};

/** Keeps a batch that has not begun from beginning. */
export const callOff = (gate: BatchGate): void => {
  Atomics.compareExchange(gate, 0, WAITING, CALLED_OFF);
};

/** Blocks the calling thread until none of the batches runs, or the time is over. */
export const blockWhileRunning = (gates: Iterable<BatchGate>, timeoutMs: number): void => {
  const until = performance.now() + timeoutMs;
  for (const gate of gates) Atomics.wait(gate, 0, RUNNING, Math.max(0, until - performance.now()));
};
