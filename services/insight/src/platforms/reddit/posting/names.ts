import { namesIn } from "../../text.js";

const USER = /(?<![\p{L}\p{M}\p{N}_/.])\/?u\/([A-Za-z0-9_-]{3,20})(?![A-Za-z0-9_-])/giu;

/** The users that a text names as Reddit does, such as `u/ada_example`; one that differs in case only counts once. */
export function usersIn(text: string): string[] {
  return namesIn(text, USER);
}
