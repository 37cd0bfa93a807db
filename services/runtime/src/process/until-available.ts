import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../errors/app-error.js";
import type { Logger } from "../log/logger.js";

export interface Patience {
  /** What is waited for, as the operator knows it: `MongoDB`. */
  what: string;
  log: Logger;
  /** Ends the waiting; the promise then rejects with its reason. */
  signal: AbortSignal;
  /** The first pause, in milliseconds; doubles up to 10 s. */
  firstPauseMs?: number;
}

const PAUSE_MAX_MS = 10_000;

/**
 * Does the work, again and again while it fails as `unavailable`: a dependency that is away when a process starts is
 * waited for, since restarting would not bring it back. Any other failure is thrown.
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
      log.warn({ reason: reasonOf(error), againInMs: pauseMs }, `${what} cannot be reached, trying again`);
    }
    // Ended early by the signal; the next turn of the loop says so.
    await sleep(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
  }
}

/** What was first to go wrong: of a database that is away the stack tells nobody anything. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
