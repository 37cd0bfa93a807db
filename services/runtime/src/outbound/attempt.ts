import { HttpFailure } from "./http-failure.js";

/** The certificate of the other side, or its way of speaking TLS, is not to be trusted. */
const TLS_FAILURE = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH$)/;
/** What answered does not speak HTTP as it should. */
const PROTOCOL_FAILURE = /^(HPE_|ERR_HTTP_)/;

/** One request with its redirects: its time limit, the caller's wish to stop, and what a failure means to the caller. */
export class Attempt {
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

  /** What to throw for a failure: the caller's reason if the caller has stopped it, else an HttpFailure. */
  failure(error: unknown): unknown {
    if (error instanceof HttpFailure) return error;
    if (this.slow) return new HttpFailure("slow", `The answer of ${this.host} came too slowly.`, error);
    if (this.late) {
      const message = `${this.host} did not answer within ${Math.ceil(this.timeoutMs / 1000)} s.`;
      return new HttpFailure("deadline", message, error);
    }
    if (this.caller?.aborted === true) return this.caller.reason;
    return this.connectionFailure(error);
  }

  private connectionFailure(error: unknown): HttpFailure {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (TLS_FAILURE.test(code)) {
      const message = `The connection to ${this.host} is not safe: its certificate cannot be verified.`;
      return new HttpFailure("untrusted", message, error);
    }
    if (PROTOCOL_FAILURE.test(code)) return new HttpFailure("not-http", `${this.host} does not answer in HTTP.`, error);
    return new HttpFailure("unreachable", `The connection to ${this.host} failed or broke off.`, error);
  }
}
