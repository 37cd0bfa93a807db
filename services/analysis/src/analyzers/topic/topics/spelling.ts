import type { Token } from "../../../text/tokens.js";

/** A run of tokens as written in the text, on one line. */
export function spelling(text: string, tokens: readonly Token[], first: number, last: number): string {
  return text
    .slice(tokens[first]?.start ?? 0, tokens[last]?.end ?? 0)
    .replace(/\s+/g, " ")
    .trim();
}
