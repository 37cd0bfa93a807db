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
