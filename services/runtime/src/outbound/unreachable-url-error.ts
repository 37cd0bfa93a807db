/**
 * A URL that gave no file. `message` is one sentence for the person who named the URL; it tells nothing about this
 * server's network, not even whether a name that only this network knows exists.
 */
export class UnreachableUrlError extends Error {
  override readonly name = "UnreachableUrlError";
  /** Whether another try with the same URL would fail alike. */
  readonly permanent: boolean;

  constructor(message: string, options: { permanent: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.permanent = options.permanent;
  }
}
