/** The certificate or the TLS implementation of the server is not trustworthy. */
const TLS_FAILURE = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH$)/;
/** The response violates HTTP. */
const PROTOCOL_FAILURE = /^(HPE_|ERR_HTTP_)/;

/** One request with its redirects: its time limit, its cancellation, and the mapping of failures for the caller. */
export class Attempt {
  /** Ends connections when the time limit is reached or the caller cancels; its reason is what the caller gets. */
  readonly signal: AbortSignal;
  private readonly ending = new AbortController();
  private readonly timer: NodeJS.Timeout;
  // Not AbortSignal.any: it keeps a listener of each request as long as the caller's signal lives.
  private readonly onCallerAbort = (): void => this.ending.abort(this.caller?.reason);

  /** `host` is spelled as in the caller's URL. */
  constructor(
    readonly host: string,
    timeoutMs: number,
    private readonly caller: AbortSignal | undefined,
  ) {
    this.signal = this.ending.signal;
    const message = `${host} did not answer within ${Math.ceil(timeoutMs / 1000)} s.`;
    this.timer = setTimeout(() => this.ending.abort(new HttpFailure("deadline", message)), timeoutMs);
    caller?.addEventListener("abort", this.onCallerAbort);
    if (caller?.aborted === true) this.onCallerAbort();
  }

  /** Ends the attempt because the server is too slow. */
  endSlow(): void {
    this.ending.abort(new HttpFailure("slow", `The answer of ${this.host} came too slowly.`));
  }

  /** Ends the time limit; connections stay open. */
  release(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener("abort", this.onCallerAbort);
  }

  /** Ends the attempt and its connections. */
  cancel(): void {
    this.release();
    this.ending.abort(this.connectionFailure(undefined));
  }

  /** Runs `work`, but waits no longer than the attempt lasts. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this;
    signal.throwIfAborted();
    const over = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("The attempt is over.")), { once: true });
    });
    return Promise.race([work(), over]);
  }

  /** The error to throw for a failure: the caller's reason if the caller cancelled, otherwise an HttpFailure. */
  failure(error: unknown): unknown {
    if (error instanceof HttpFailure) return error;
    return this.signal.aborted ? this.signal.reason : this.connectionFailure(error);
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
