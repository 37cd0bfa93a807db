import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../errors/app-error.js";
import { rootReason } from "../errors/root-reason.js";
import type { Logger } from "../log/logger.js";

export interface Patience {
  /** Name of the dependency for the operator, for example `MongoDB`. */
  what: string;
  log: Logger;
  /** Ends the wait; the promise then rejects with its reason. */
  signal: AbortSignal;
  /** The first pause, in milliseconds; doubles up to 10 s. */
  firstPauseMs?: number;
}

const PAUSE_MAX_MS = 10_000;

/**
 * Runs the work, and retries it while it fails as `unavailable`: a process waits for a dependency that is unavailable
 * at its start, because a restart would not help. Any other failure is thrown.
 */
export async function untilAvailable<T>(work: () => Promise<T>, patience: Patience): Promise<T> {
  const { what, log, signal, firstPauseMs = 500 } = patience;
  for (let pauseMs = firstPauseMs, told = false; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS), told = true) {
    signal.throwIfAborted();
    try {
      const result = await work();
      if (told) log.info(`${what} is there, starting goes on`);
      return result;
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== "unavailable") throw error;
      signal.throwIfAborted();
      log.warn({ reason: rootReason(error), againInMs: pauseMs }, `${what} cannot be reached, trying again`);
    }
    // If the signal ends the pause, the next iteration throws its reason.
    await sleep(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
  }
}
