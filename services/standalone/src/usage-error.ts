/** The command line is invalid; `message` is one line that says how. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
