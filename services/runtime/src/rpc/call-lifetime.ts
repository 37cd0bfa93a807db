import { AppError } from "../errors/app-error.js";

/** How long a unary call may take when its caller names no deadline, in milliseconds. Streams may take any time. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** Longer timers fire at once in Node. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Both ends watch the deadline, and each rounds it to milliseconds. */
const CLOCK_TOLERANCE_MS = 2;

/**
 * The time a call has. It is over with the deadline, when the caller leaves, or when the work is done. The abort signal
 * is made only when somebody asks for it: most handlers do not, and making one costs more than a short read.
 */
export class CallLifetime {
  private timer: NodeJS.Timeout | undefined;
  private deadline = Infinity;
  private controller: AbortController | undefined;
  private failure: AppError | undefined;
  private ended = false;
  private onFailure: ((failure: AppError) => void) | undefined;
  private onCallerAbort: (() => void) | undefined;

  /** `timeoutMs` from now; without one there is no deadline. */
  constructor(
    timeoutMs?: number,
    private readonly callerSignal?: AbortSignal,
  ) {
    if (timeoutMs !== undefined && timeoutMs <= TIMER_MS_MAX) {
      this.deadline = performance.now() + timeoutMs;
      this.timer = setTimeout(() => this.fail(deadlineExceeded()), timeoutMs);
    }
    if (callerSignal === undefined) return;
    this.onCallerAbort = () => this.cancel(callerSignal.reason);
    if (callerSignal.aborted) this.onCallerAbort();
    else callerSignal.addEventListener("abort", this.onCallerAbort, { once: true });
  }

  /** Aborted when the deadline passes, the caller leaves, or a stream is no longer read. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.failure !== undefined) this.controller.abort(this.failure);
    }
    return this.controller.signal;
  }

  /**
   * The caller has left: because the deadline has passed if it has, else for the reason given if it is an AppError, as
   * that of an outer call's signal is. Does nothing once the call has ended.
   */
  cancel(reason?: unknown): void {
    if (this.ended) return; // before making an error, which costs more than a short call
    const overdue = performance.now() >= this.deadline - CLOCK_TOLERANCE_MS;
    if (overdue) this.fail(deadlineExceeded());
    else this.fail(reason instanceof AppError ? reason : callerLeft());
  }

  /** Settles as the work does, or fails when the time is over before. Work is not begun for a caller who has left. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.orFailure(work);
    } finally {
      this.end();
    }
  }

  /** Passes items on until they end, the time is over, or the reader stops; the last two stop their source. */
  async *stream<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    const iterator = items[Symbol.asyncIterator]();
    let finished = false;
    try {
      for (;;) {
        const next = await this.orFailure(() => iterator.next());
        if (next.done === true) {
          finished = true;
          return;
        }
        yield next.value;
      }
    } catch (error) {
      finished = this.failure === undefined;
      throw error;
    } finally {
      if (!finished) await this.stopSource(iterator);
      this.end();
    }
  }

  /** The call is over; from now on nothing is aborted. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.timer);
    if (this.onCallerAbort !== undefined) this.callerSignal?.removeEventListener("abort", this.onCallerAbort);
  }

  private orFailure<T>(work: () => Promise<T>): Promise<T> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise<T>((resolve, reject) => {
      this.onFailure = reject;
      work().then(resolve, reject);
    });
  }

  /** A source that waits for something other than its signal may never settle; nobody waits for it then. */
  private async stopSource(iterator: AsyncIterator<unknown>): Promise<void> {
    const overdue = this.failure !== undefined;
    this.controller?.abort(this.failure ?? callerLeft());
    const stopped = Promise.resolve(iterator.return?.());
    if (overdue) stopped.catch(() => undefined);
    else await stopped;
  }

  private fail(failure: AppError): void {
    if (this.ended || this.failure !== undefined) return;
    this.failure = failure;
    clearTimeout(this.timer);
    this.controller?.abort(failure);
    this.onFailure?.(failure);
  }
}

function callerLeft(): AppError {
  return new AppError("cancelled", "The caller gave up waiting.");
}

function deadlineExceeded(): AppError {
  return new AppError("deadline", "The service took too long to answer. Try again later.");
}
