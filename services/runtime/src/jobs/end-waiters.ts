import { AppError } from "../errors/app-error.js";
import type { Collection } from "../store/store.js";
import { type JobRecord, UNFINISHED } from "./job.js";

/** Names a user or an API key, as `callerIdOf` does. */
type CallerId = number | string;

export interface Wait {
  id: number;
  /** Whose waits are counted together; undefined: not counted. */
  callerId?: CallerId | undefined;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Interval of the looks at all jobs that somebody waits for, in milliseconds, because another process may end them. */
const LOOK_EVERY_MS = 400;
/** Waits of one user or API key at a time. */
const WAITS_MAX = 200;
const RETRY_AFTER_MS = 1000;

/**
 * Those who wait for the end of a job. An end in this process wakes them at once, one in another process soon: a single look
 * at the states of all awaited jobs serves everybody, however many wait.
 */
export class EndWaiters {
  private readonly waiting = new Map<number, Set<() => void>>();
  private readonly waits = new Map<CallerId, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly records: Pick<Collection<JobRecord>, "count" | "find">) {}

  /** Reports that a job has ended, or was deleted. */
  announce(id: number): void {
    for (const wake of this.waiting.get(id) ?? []) wake();
  }

  /**
   * Resolves once the job has ended or was deleted, after `timeoutMs`, or when the signal aborts, whichever comes first.
   * AppError `too-many` if the caller waits too often already.
   */
  async wait({ id, callerId, timeoutMs, signal }: Wait): Promise<void> {
    if (signal.aborted) return;
    if (callerId !== undefined) this.take(callerId);
    const waiting = this.waiting.get(id) ?? new Set();
    this.waiting.set(id, waiting);
    let wake = (): void => undefined;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      waiting.add(wake);
      timer = setTimeout(wake, timeoutMs);
      signal.addEventListener("abort", wake, { once: true });
      this.lookLater();
    });
    clearTimeout(timer);
    signal.removeEventListener("abort", wake);
    waiting.delete(wake);
    if (waiting.size === 0) this.waiting.delete(id);
    if (callerId !== undefined) this.give(callerId);
  }

  private take(callerId: CallerId): void {
    const taken = this.waits.get(callerId) ?? 0;
    if (taken >= WAITS_MAX) throw tooManyWaits();
    this.waits.set(callerId, taken + 1);
  }

  private give(callerId: CallerId): void {
    const left = (this.waits.get(callerId) ?? 0) - 1;
    if (left > 0) this.waits.set(callerId, left);
    else this.waits.delete(callerId);
  }

  private lookLater(): void {
    if (this.timer !== undefined || this.waiting.size === 0) return;
    this.timer = setTimeout(() => {
      void this.look().then(() => {
        this.timer = undefined;
        this.lookLater();
      });
    }, LOOK_EVERY_MS);
    this.timer.unref();
  }

  /** Never fails: who waits learns at the end of the wait that the store is away. */
  private async look(): Promise<void> {
    const ids = [...this.waiting.keys()];
    const unfinished = { id: { in: ids }, status: { in: UNFINISHED } };
    try {
      // Nearly always none has ended, which a count tells without reading one of them.
      if ((await this.records.count(unfinished)) === ids.length) return;
      const left = new Set((await this.records.find(unfinished)).map(({ id }) => id));
      for (const id of ids) if (!left.has(id)) this.announce(id);
    } catch {
      // The next look may succeed.
    }
  }
}

function tooManyWaits(): AppError {
  const message =
    `You wait with more than ${WAITS_MAX} requests at a time. ` +
    "Ask without `wait`, or again once some of them have been answered.";
  return new AppError("too-many", message, { code: "too_many_waits", retryAfterMs: RETRY_AFTER_MS });
}
