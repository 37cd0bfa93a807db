import type { Token } from "../../text/tokens.js";

/** Whether a token is a common noun or a proper one. */
export function isNoun(token: Token | undefined): boolean {
  return token?.pos === "NOUN" || token?.pos === "PROPN";
}

/** Whether a word begins with a capital, or is all capitals: `Paris`, `NASA`. */
export function isCapital(token: Token | undefined): boolean {
  return token?.kind === "word" && /^\p{Lu}/u.test(token.text);
}

/** Whether a word is spelled as names are, a capital and small letters: `Paris`, not `NASA`. */
export function isCapitalized(token: Token | undefined): boolean {
  return token !== undefined && /^\p{Lu}\p{Ll}/u.test(token.text);
}
