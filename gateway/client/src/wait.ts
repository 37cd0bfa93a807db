export interface WaitOptions {
  /** Default: as long as it takes. In milliseconds; then TimeoutError is thrown. */
  readonly timeoutMs?: number;
  /** Ends the wait; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** The longest that the server holds an answer. In seconds. */
const WAIT_SECONDS = 60;
const ENDED = new Set(["done", "failed", "invalid"]);

/** Asks until a record has come to its end; the server holds each answer as long as it may. */
export async function untilEnded<R extends { readonly status: string }>(
  { timeoutMs, signal }: WaitOptions,
  read: (waitSeconds: number, signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const until = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs;
  const over = followerOf(signal);
  const endInTime = (): void => over.abort(new DOMException("It has not come to its end in time.", "TimeoutError"));
  const timer = timeoutMs === undefined ? undefined : setTimeout(endInTime, timeoutMs);
  try {
    for (;;) {
      const leftMs = until - performance.now();
      if (leftMs <= 0) endInTime();
      over.signal.throwIfAborted();
      const record = await read(Math.min(WAIT_SECONDS, Math.ceil(leftMs / 1000)), over.signal);
      if (ENDED.has(record.status)) return record;
    }
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

/** Is aborted with a signal, or by itself; from then on it no longer listens. */
export function followerOf(signal: AbortSignal | undefined): AbortController {
  const follower = new AbortController();
  if (signal?.aborted === true) follower.abort(signal.reason);
  const follow = (): void => follower.abort(signal?.reason);
  signal?.addEventListener("abort", follow, { once: true, signal: follower.signal });
  return follower;
}
