/** The file cannot be decoded, or needs too much processor time or memory; `message` is a sentence for its owner. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}

/** The file was not done in time although it had little of the processor: the machine is busy, and trying again may help. */
export class LateFileError extends Error {
  override readonly name = "LateFileError";
}
