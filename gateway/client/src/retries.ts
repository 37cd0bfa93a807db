import { retryAfterSeconds } from "./errors.js";

/** How requests are sent again. */
export interface Retries {
  /** How often a request is sent again at most. */
  readonly retries: number;
  /** Waits so many milliseconds; rejects with the reason of the signal when that ends it. */
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** What is sent, and whether it does no harm twice. */
export interface Sending {
  /** Whether the server does it once, however often it is sent. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Answers of a server, or of a proxy before it, that may be another one soon. */
const PASSING = new Set([502, 503, 504]);
/** Refused before anything was done, so that whatever was sent may be sent again. */
const TOO_MANY = 429;
const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 10_000;
/** Who is asked to wait for longer is told so instead. */
const RETRY_AFTER_SECONDS_MAX = 120;

/**
 * Sends a request again while the server is away or asks to wait: after `Retry-After`, else after pauses that double, with a
 * random part, so that many clients do not come back at once. What the server may have done already is repeated only if that
 * does no harm. Returns the last response, or throws the last failure of the network.
 */
export async function sendRepeatedly(
  send: () => Promise<Response>,
  { isRepeatable, signal }: Sending,
  { retries, pause }: Retries,
): Promise<Response> {
  for (let retry = 0; ; retry++) {
    const backoffMs = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry);
    let pauseMs = backoffMs * (0.5 + Math.random() / 2);
    try {
      const response = await send();
      const { status, headers, body } = response;
      const mayHelp = status === TOO_MANY || (isRepeatable && PASSING.has(status));
      const seconds = retryAfterSeconds(headers) ?? 0;
      if (!mayHelp || retry >= retries || seconds > RETRY_AFTER_SECONDS_MAX) return response;
      if (seconds > 0) pauseMs = seconds * 1000 + Math.random() * FIRST_PAUSE_MS;
      await body?.cancel();
    } catch (error) {
      // `fetch` throws TypeError when no answer came; all else is no failure of the network.
      if (!(error instanceof TypeError) || !isRepeatable || retry >= retries) throw error;
    }
    signal?.throwIfAborted();
    await pause(pauseMs, signal);
  }
}

/** Waits by a timer. */
export function pauseByTimer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted === true) stop();
  });
}

/** A key by which the server knows a creation that is sent again. Also where `crypto.randomUUID` is missing: on pages without TLS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
