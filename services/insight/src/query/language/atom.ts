import type { Atom } from "./expression.js";
import type { Token } from "./lexer.js";
import { QuerySyntaxError } from "./syntax-error.js";
import { fold } from "../words/fold.js";
import { mentionKey, tagKey } from "../words/names.js";
import { tokenize } from "../words/tokenize.js";

const PREFIX_LETTERS_MIN = 3;

/** Reads a word or phrase of a query. */
export function readAtom(token: Token): Atom {
  if (token.kind === "phrase") return readPhrase(token);
  const sign = token.text.slice(0, 1).normalize("NFKC");
  if (sign === "#") return { kind: "tag", name: named(token, tagKey, "#") };
  if (sign === "@") return { kind: "mention", name: named(token, mentionKey, "@") };
  return endsWithStar(token.text) ? readPrefix(token) : readWord(token);
}

function readPhrase({ text, position }: Token): Atom {
  if (tokenize(text).length === 0) {
    throw new QuerySyntaxError("There is no word between the quotes", position, "Write one, or remove the quotes.");
  }
  return { kind: "phrase", text: text.trim() };
}

function readWord({ text, position }: Token): Atom {
  if (tokenize(text).length === 0) {
    const advice = "Give a word with letters or digits; signs and web addresses are not searched.";
    throw new QuerySyntaxError(`There is nothing to search for in ${text}`, position, advice);
  }
  return { kind: "word", text };
}

function readPrefix({ text, position }: Token): Atom {
  const start = withoutSigns(text);
  const words = tokenize(start);
  if (words.length > 1) {
    throw new QuerySyntaxError("A * follows several words", position, "Put it after a single word, or remove it.");
  }
  if ([...(words[0] ?? "")].length < PREFIX_LETTERS_MIN) {
    const advice = `Give at least ${PREFIX_LETTERS_MIN} letters before it, or the whole word without it.`;
    throw new QuerySyntaxError("A * follows too few letters", position, advice);
  }
  return { kind: "prefix", text: start };
}

/** The name after `#` or `@`. */
function named({ text, position }: Token, key: (name: string) => string, sign: string): string {
  const name = text.slice(1);
  if (key(name) === "") {
    throw new QuerySyntaxError(`There is no name after ${sign}`, position, "Write one without a space, or remove it.");
  }
  if (endsWithStar(name)) {
    throw new QuerySyntaxError(`A * follows a name with ${sign}`, position, "Give the whole name, without the *.");
  }
  return name;
}

/** Without the `*` at the end, and without signs before the word that would mean something there. */
function withoutSigns(text: string): string {
  const characters = Array.from(text);
  const isSign = (char: string): boolean => "*#@".includes(char.normalize("NFKC"));
  const isWord = (char: string): boolean => !isSign(char);
  return characters.slice(characters.findIndex(isWord), characters.findLastIndex(isWord) + 1).join("");
}

function endsWithStar(text: string): boolean {
  return fold(text).endsWith("*");
}
