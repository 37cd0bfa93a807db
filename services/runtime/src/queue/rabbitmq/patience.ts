import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../errors/app-error.js";

/** Retry delay reported to callers. */
const RETRY_AFTER_MS = 2000;

/** The failure of any call that needs the broker while it is unavailable; `detail` goes to the log only. */
export function brokerAway(detail: string, cause?: unknown): AppError {
  return new AppError("unavailable", "The job queue cannot be reached right now. Try again shortly.", {
    code: "queue_unavailable",
    retryAfterMs: RETRY_AFTER_MS,
    cause: new Error(detail, { cause }),
  });
}

/** The result of `work`; a failure of the broker, or no answer within `limitMs`, becomes `unavailable`. */
export async function answerWithin<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(brokerAway(`the broker did not answer: ${what}`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw error instanceof AppError ? error : brokerAway(`the broker refused: ${what}`, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits; returns at once when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

export interface Backoff {
  /** Pause before the first retry. */
  firstMs: number;
  /** Longest pause, before ± 25 % jitter. */
  maxMs: number;
}

/** Doubles with each failure, with 25 % jitter, so that callers that failed together do not retry together. */
export function backoff({ firstMs, maxMs }: Backoff, failures: number): number {
  const ms = Math.min(firstMs * 2 ** Math.max(0, failures - 1), maxMs);
  return Math.round(ms * (0.75 + Math.random() / 2));
}

/** The code with which the broker closed the channel: 404 no such queue, 405 locked, 406 other settings. */
export function closeCode(error: unknown): number | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "number") return at.code;
  }
  return undefined;
}
