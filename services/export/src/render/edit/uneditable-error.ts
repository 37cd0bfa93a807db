/** A file that is not as this release writes it, so that rows cannot be taken out of it. */
export class UneditableError extends Error {
  override readonly name = "UneditableError";
}
