/**
 * Why a request has no answer, or an answer no whole body. `refused`: the URL, its host, its address or a redirect is not
 * allowed; `untrusted`: the certificate cannot be verified; `not-http`: what answers breaks the protocol.
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

/** Kinds that another try may escape. */
const PASSING: ReadonlySet<HttpFailureKind> = new Set(["unreachable", "deadline"]);

/** A request that failed. `message` names the host as the caller did, and nothing of this server's network. */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";

  constructor(
    readonly kind: HttpFailureKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }

  /** Whether another try with the same URL would fail alike. */
  get permanent(): boolean {
    return !PASSING.has(this.kind);
  }
}
