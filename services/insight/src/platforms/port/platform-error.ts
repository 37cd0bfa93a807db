/**
 * Why a platform gave no page. `auth`: it rejects the credentials; `rate`: too many requests; `budget`: a budget of this
 * server or of the platform is spent; `temporary`: a retry may succeed; `permanent`: the same request will fail again.
 */
export type PlatformErrorKind = "auth" | "rate" | "budget" | "temporary" | "permanent";

/** A failed request to a platform. `message` is a sentence for the owner of the search that says what to do. */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  /** Earliest time of the next request in milliseconds since the epoch, as the platform or the budget states it. */
  readonly retryAt: number | undefined;
  /** Requests sent before it failed. Default: none for `budget`, otherwise one. */
  readonly requests: number;

  constructor(
    readonly kind: PlatformErrorKind,
    message: string,
    { retryAt, requests, cause }: { retryAt?: number | undefined; requests?: number; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryAt = retryAt;
    this.requests = requests ?? (kind === "budget" ? 0 : 1);
  }
}
