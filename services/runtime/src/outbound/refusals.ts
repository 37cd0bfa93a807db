import { HttpFailure } from "./http-failure.js";

/** A reason that will be the same next time. */
export function refusal(message: string, cause?: unknown): HttpFailure {
  return new HttpFailure("refused", message, cause);
}

/** Addresses are not told: they may be those of the private network. */
export function noAddress(subject: string): HttpFailure {
  return refusal(`${subject} has no address on the public internet. Give a URL that anyone can reach.`);
}

/** The name is misspelled, or its owner has given it up. `subject` begins the sentence. */
export function unknownHost(subject: string, cause: unknown): HttpFailure {
  const message = `${subject} cannot be found: nobody has this host name. Check how it is spelled.`;
  return new HttpFailure("unknown-host", message, cause);
}
