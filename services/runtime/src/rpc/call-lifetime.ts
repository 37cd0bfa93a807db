import { AppError } from "../errors/app-error.js";

/** Timeout of a unary call without a deadline, in milliseconds. Streams have no default timeout. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** Node fires longer timers at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Client and server both watch the deadline, and each rounds it to milliseconds. */
const CLOCK_TOLERANCE_MS = 2;

/**
 * Lifetime of a call. It ends at the deadline, when the caller leaves, or when the work is done. The abort signal is
 * created lazily: most handlers do not use it, and creating one costs more than a short read.
 */
export class CallLifetime {
  private timer: NodeJS.Timeout | undefined;
  private deadline = Infinity;
  private controller: AbortController | undefined;
  private failure: AppError | undefined;
  private ended = false;
  private onFailure: ((failure: AppError) => void) | undefined;
  private onCallerAbort: (() => void) | undefined;

  /** The deadline is `timeoutMs` from now; without `timeoutMs` there is none. */
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

  /** Aborted when the deadline passes, the caller leaves, or the reader of a stream stops. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.failure !== undefined) this.controller.abort(this.failure);
    }
    return this.controller.signal;
  }

  /**
   * Ends the call because its caller has left. The failure is `deadline` if the deadline has passed, otherwise `reason`
   * if it is an AppError, as in the signal of an outer call. Does nothing once the call has ended.
   */
  cancel(reason?: unknown): void {
    if (this.ended) return; // checked first: creating an error costs more than a short call
    const overdue = performance.now() >= this.deadline - CLOCK_TOLERANCE_MS;
    if (overdue) this.fail(deadlineExceeded());
    else this.fail(reason instanceof AppError ? reason : callerLeft());
  }

  /** Settles as the work does, or fails when the lifetime ends first. Work is not started if the caller has left. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.orFailure(work);
    } finally {
      this.end();
    }
  }

  /** Passes items on until they end, the lifetime ends, or the reader stops; the last two stop the source. */
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

  /** Marks the call as finished; nothing is aborted after that. */
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

  /** A source that ignores its signal may never settle, so it is not awaited after a failure. */
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
