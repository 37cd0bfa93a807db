import { AppError } from "../errors/app-error.js";
import type { CallOptions } from "./service.js";

/** Applies when the caller names no deadline, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * The time a call has. Ends with the deadline, with the caller's signal, or when the work is done. The abort signal is
 * made only when somebody asks for it: most handlers do not, and making one costs more than a short read.
 */
export class CallLifetime {
  private readonly controller = { current: undefined as AbortController | undefined };
  private readonly timer: NodeJS.Timeout;
  private readonly ended: Promise<never>;
  private fail: (error: AppError) => void = () => undefined;
  private failure: AppError | undefined;
  private readonly onCallerAbort = () => this.stop(new AppError("cancelled", "The caller gave up."));

  constructor(private readonly options: CallOptions) {
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.ended = new Promise<never>((_, reject) => {
      this.fail = reject;
    });
    this.ended.catch(() => undefined); // nobody may be waiting when the deadline passes
    this.timer = setTimeout(() => this.stop(deadlineExceeded(timeoutMs)), timeoutMs);
    if (options.signal?.aborted === true) this.onCallerAbort();
    else options.signal?.addEventListener("abort", this.onCallerAbort, { once: true });
  }

  get signal(): AbortSignal {
    this.controller.current ??= new AbortController();
    if (this.failure !== undefined) this.controller.current.abort(this.failure);
    return this.controller.current.signal;
  }

  /** Settles as the work does, or fails when the time is over before. */
  async bound<T>(work: Promise<T>): Promise<T> {
    try {
      return await Promise.race([work, this.ended]);
    } finally {
      this.end();
    }
  }

  end(): void {
    clearTimeout(this.timer);
    this.options.signal?.removeEventListener("abort", this.onCallerAbort);
  }

  private stop(failure: AppError): void {
    this.failure = failure;
    this.controller.current?.abort(failure);
    this.fail(failure);
    this.end();
  }
}

function deadlineExceeded(timeoutMs: number): AppError {
  return new AppError("deadline", `No answer within ${timeoutMs / 1000} s. Try again later.`);
}
