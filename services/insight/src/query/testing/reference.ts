import type { Atom, Expression } from "../ast.js";
import type { SearchedTexts } from "../matcher.js";
import { fold } from "../unicode.js";
import { tokenize } from "../tokenizer.js";

/** Decides as the description of the language reads, without regard to time. */
export function fulfills(expression: Expression, posting: SearchedTexts): boolean {
  switch (expression.kind) {
    case "not":
      return !fulfills(expression.operand, posting);
    case "and":
      return expression.operands.every((operand) => fulfills(operand, posting));
    case "or":
      return expression.operands.some((operand) => fulfills(operand, posting));
    default:
      return occurs(expression, posting);
  }
}

function occurs(atom: Atom, { title = "", text, tags = [], mentions = [] }: SearchedTexts): boolean {
  const texts = [title, text, ...tags];
  switch (atom.kind) {
    case "word":
    case "phrase":
      return texts.some((each) => contains(tokenize(each), tokenize(atom.text)));
    case "prefix":
      return texts.some((each) => tokenize(each).some((word) => word.startsWith(fold(atom.text))));
    case "tag":
      return [...tags, ...texts.flatMap((each) => signed(each, "#"))].some((name) => fold(name) === fold(atom.name));
    case "mention":
      return [...mentions, ...texts.flatMap((each) => signed(each, "@"))].some(
        (name) => fold(name) === fold(atom.name),
      );
  }
}

function contains(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, start) => phrase.every((word, i) => words[start + i] === word));
}

/** Names after a sign; the random texts have spaces around them. */
function signed(text: string, sign: string): string[] {
  return text
    .split(" ")
    .filter((part) => part.startsWith(sign))
    .map((part) => part.slice(1));
}
