import { computed, signal } from "@preact/signals";

/** Answers that say when it is worth asking again: in use by another request, too many requests, not available. */
const ASKED_TO_WAIT = new Set([409, 429, 503]);
/** Longer than this no request waits: its failure is shown, with a way to try again. In seconds. */
const WAIT_SECONDS_MAX = 120;
const ATTEMPTS_MAX = 6;

/** Whether a request is sent again after the server has put it off; `seconds` is NaN if it does not say for how long. */
export function isWorthWaiting(status: number, seconds: number, attempt: number): boolean {
  return ASKED_TO_WAIT.has(status) && seconds <= WAIT_SECONDS_MAX && attempt < ATTEMPTS_MAX;
}

/** A request that waits because the server asked for it. */
interface Wait {
  readonly status: number;
  /** By `performance.now()`: the clock of the computer may be set. */
  readonly until: number;
}

const waits = signal<readonly Wait[]>([]);
const now = signal(0);

/** What the server asks to wait for: the longest wait, in whole seconds; undefined if nothing waits. */
export const waiting = computed(() => {
  const last = waits.value.reduce<Wait | undefined>(
    (a, b) => (a === undefined || b.until > a.until ? b : a),
    undefined,
  );
  if (last === undefined) return undefined;
  return { status: last.status, seconds: Math.max(1, Math.ceil((last.until - now.value) / 1000)) };
});

/** Waits as long as the server asked, while `waiting` counts down. Rejects with the reason of `signal` if that ends it. */
export async function waitAsAsked(status: number, seconds: number, signal: AbortSignal): Promise<void> {
  const wait: Wait = { status, until: performance.now() + seconds * 1000 };
  now.value = performance.now();
  waits.value = [...waits.value, wait];
  const tick = setInterval(() => (now.value = performance.now()), 1000);
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, seconds * 1000);
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      };
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    });
  } finally {
    clearInterval(tick);
    waits.value = waits.value.filter((other) => other !== wait);
  }
}
