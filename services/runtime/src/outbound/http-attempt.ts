/** The certificate or the TLS implementation of the server is not trustworthy. */
const TLS_FAILURE = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH$)/;
/** The response violates HTTP. */
const PROTOCOL_FAILURE = /^(HPE_|ERR_HTTP_)/;

/** One request with its redirects: its time limit, its cancellation, and the mapping of failures for the caller. */
export class Attempt {
  /** Ends connections when the time limit is reached or the caller cancels. */
  readonly signal: AbortSignal;
  private readonly ending = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private late = false;
  private slow = false;
  private readonly onCallerAbort = (): void => this.ending.abort();

  /** `host` is spelled as in the caller's URL. */
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

  /** Ends the attempt because the server is too slow. */
  endSlow(): void {
    this.slow = true;
    this.ending.abort();
  }

  /** Ends the time limit; connections stay open. */
  release(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener("abort", this.onCallerAbort);
  }

  /** Ends the attempt and its connections. */
  cancel(): void {
    this.release();
    this.ending.abort();
  }

  /** Runs `work`, but waits no longer than the attempt lasts. */
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

  /** The error to throw for a failure: the caller's reason if the caller cancelled, otherwise an HttpFailure. */
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

/**
 * Why a request has no response, or a response no complete body. `refused`: the URL, its host or a redirect is not
 * allowed; `unknown-host`: the host has no public address; `untrusted`: the certificate cannot be verified; `not-http`:
 * the response violates HTTP.
 */
export type HttpFailureKind =
  | "refused"
  | "unknown-host"
  | "unreachable"
  | "untrusted"
  | "not-http"
  | "deadline"
  | "slow"
  | "too-large"
  | "bad-encoding";

/** Temporary kinds, for which a retry may succeed. */
const PASSING: ReadonlySet<HttpFailureKind> = new Set(["unreachable", "deadline"]);

/** A failed request. `message` names the host as the caller spelled it, and reveals nothing of the server's network. */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";

  constructor(
    readonly kind: HttpFailureKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }

  /** Whether a retry with the same URL would fail in the same way. */
  get permanent(): boolean {
    return !PASSING.has(this.kind);
  }
}
