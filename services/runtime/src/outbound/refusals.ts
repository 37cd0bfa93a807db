import { HttpFailure } from "./http-failure.js";

/** A permanent refusal. */
export function refusal(message: string, cause?: unknown): HttpFailure {
  return new HttpFailure("refused", message, cause);
}

/** Does not reveal addresses: they may belong to the private network. */
export function noAddress(subject: string): HttpFailure {
  return refusal(`${subject} has no address on the public internet. Give a URL that anyone can reach.`);
}

/** The name is misspelled or no longer registered. `subject` is the subject of the sentence. */
export function unknownHost(subject: string, cause: unknown): HttpFailure {
  const message = `${subject} cannot be found: nobody has this host name. Check how it is spelled.`;
  return new HttpFailure("unknown-host", message, cause);
}
