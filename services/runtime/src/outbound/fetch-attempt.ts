import { UnreachableUrlError } from "./unreachable-url-error.js";

/** The certificate of the other side, or its way of speaking TLS, is not to be trusted. */
const TLS_FAILURE = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH$)/;
/** What answered does not speak HTTP as it should. */
const PROTOCOL_FAILURE = /^(HPE_|ERR_HTTP_)/;

/** One try to fetch a URL: its time limit, the caller's wish to stop, and what a failure means to the caller. */
export class FetchAttempt {
  /** Ends connections when the time is over or the caller has lost interest. */
  readonly signal: AbortSignal;
  private readonly ending = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private late = false;
  private slow = false;
  private readonly onCallerAbort = (): void => this.ending.abort();

  /** `host` as the caller named it. */
  constructor(
    readonly host: string,
    private readonly timeoutMs: number,
    private readonly caller: AbortSignal | undefined,
  ) {
    this.signal = this.ending.signal;
    this.timer = setTimeout(() => {
      this.late = true;
      this.ending.abort();
    }, timeoutMs);
    caller?.addEventListener("abort", this.onCallerAbort);
    if (caller?.aborted === true) this.ending.abort();
  }

  /** Ends the attempt because the other side is too slow. */
  endSlow(): void {
    this.slow = true;
    this.ending.abort();
  }

  /** Ends the time limit; connections stay as they are. */
  release(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener("abort", this.onCallerAbort);
  }

  /** Ends everything. */
  cancel(): void {
    this.release();
    this.ending.abort();
  }

  /** Does `work`, yet waits not longer than the attempt lasts. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this;
    signal.throwIfAborted();
    let onAbort = (): void => undefined;
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(new Error("The attempt is over."));
      signal.addEventListener("abort", onAbort);
    });
    try {
      return await Promise.race([work(), aborted]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** What to throw for a failure: the caller's reason if the caller has stopped it, else an UnreachableUrlError. */
  failure(error: unknown): unknown {
    if (error instanceof UnreachableUrlError) return error;
    if (this.slow) {
      const message = `The file at ${this.host} came too slowly. Name a faster site, or upload the file.`;
      return new UnreachableUrlError(message, { permanent: true, cause: error });
    }
    if (this.late) {
      const message = `The file at ${this.host} was not there within ${Math.ceil(this.timeoutMs / 1000)} s.`;
      return new UnreachableUrlError(message, { permanent: false, cause: error });
    }
    if (this.caller?.aborted === true) return this.caller.reason;
    return this.connectionFailure(error);
  }

  private connectionFailure(error: unknown): UnreachableUrlError {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (TLS_FAILURE.test(code)) {
      const message = `The connection to ${this.host} is not safe: its certificate cannot be verified.`;
      return new UnreachableUrlError(message, { permanent: true, cause: error });
    }
    if (PROTOCOL_FAILURE.test(code)) {
      return new UnreachableUrlError(`${this.host} does not answer in HTTP.`, { permanent: true, cause: error });
    }
    const message = `The connection to ${this.host} failed or broke off.`;
    return new UnreachableUrlError(message, { permanent: false, cause: error });
  }
}
