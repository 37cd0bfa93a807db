/**
 * A URL from which no file could be fetched. `message` is one sentence for the person who gave the URL; it reveals
 * nothing about the server's network, not even whether an internal name exists.
 */
export class UnreachableUrlError extends Error {
  override readonly name = "UnreachableUrlError";
  /** Whether a retry with the same URL would fail in the same way. */
  readonly permanent: boolean;

  constructor(message: string, options: { permanent: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.permanent = options.permanent;
  }
}
