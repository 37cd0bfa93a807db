import { symbolOf } from "./symbols.js";
import { QuerySyntaxError } from "./syntax-error.js";

/** A piece of a query. */
export interface Token {
  readonly kind: "word" | "phrase" | "open" | "close" | "separator" | "minus" | "end";
  /** As written; of a phrase without its quotes. */
  readonly text: string;
  /** Of the first character, in code points from 1. */
  readonly position: number;
  /** Position after the last character. */
  readonly end: number;
}

/** Divides a query into its pieces; the last is `end`. */
export function lex(characters: readonly string[]): Token[] {
  const tokens: Token[] = [];
  let index = 0;
  while (index < characters.length) {
    if (symbolOf(characters[index] ?? "") === "space") {
      index += 1;
      continue;
    }
    const token = readToken(characters, index);
    tokens.push(token);
    index = token.end - 1;
  }
  return [...tokens, { kind: "end", text: "", position: index + 1, end: index + 1 }];
}

function readToken(characters: readonly string[], start: number): Token {
  const symbol = symbolOf(characters[start] ?? "");
  if (symbol === "quote") return readPhrase(characters, start);
  if (symbol === undefined || symbol === "space") return readWord(characters, start);
  return { kind: symbol, text: characters[start] ?? "", position: start + 1, end: start + 2 };
}

function readPhrase(characters: readonly string[], start: number): Token {
  const end = endOf(characters, start + 1, (char) => symbolOf(char) !== "quote");
  if (end === characters.length) {
    throw new QuerySyntaxError("A quote opens", start + 1, "Close it with another quote, or remove it.");
  }
  return { kind: "phrase", text: characters.slice(start + 1, end).join(""), position: start + 1, end: end + 2 };
}

/** A `-` inside a word belongs to it. */
function readWord(characters: readonly string[], start: number): Token {
  const end = endOf(characters, start, (char) => [undefined, "minus"].includes(symbolOf(char)));
  return { kind: "word", text: characters.slice(start, end).join(""), position: start + 1, end: end + 1 };
}

/** Index of the first character from `start` on that does not belong, or the number of characters. */
function endOf(characters: readonly string[], start: number, belongs: (char: string) => boolean): number {
  let end = start;
  while (end < characters.length && belongs(characters[end] ?? "")) end += 1;
  return end;
}
