/**
 * The file cannot be decoded, or needs too much processor time or memory; `message` is a sentence for the file's owner.
 */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}

/**
 * The file was not finished in time although it got little processor time: the machine is busy, and a retry may
 * succeed.
 */
export class LateFileError extends Error {
  override readonly name = "LateFileError";
}
