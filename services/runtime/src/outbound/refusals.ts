import { HttpFailure } from "./http-failure.js";

/** A permanent refusal. */
export function refusal(message: string, cause?: unknown): HttpFailure {
  return new HttpFailure("refused", message, cause);
}

/**
 * A host without an address that anyone can reach: its name is misspelled or no longer registered, or its addresses are
 * private. That is one failure, since two would tell which names the private network has. `subject` is the subject of
 * the sentence.
 */
export function noAddress(subject: string, cause?: unknown): HttpFailure {
  const message = `${subject} has no address on the public internet. Check how it is spelled, and give a URL that anyone can reach.`;
  return new HttpFailure("unknown-host", message, cause);
}
