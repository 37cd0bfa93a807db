import { fold } from "@hourglass/runtime/text";
import type { Atom, Expression } from "../ast.js";
import type { SearchedTexts } from "../matcher.js";
import { scan, tokenize } from "../tokenizer.js";

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
      return texts.some((each) => contains(formsIn(each), tokenize(atom.text)));
    case "prefix":
      return texts.some((each) =>
        formsIn(each)
          .flat()
          .some((word) => word.startsWith(fold(atom.text))),
      );
    case "tag":
      return [...tags, ...texts.flatMap((each) => signed(each, "#"))].some((name) => fold(name) === fold(atom.name));
    case "mention":
      return [...mentions, ...texts.flatMap((each) => signed(each, "@"))].some(
        (name) => fold(name) === fold(atom.name),
      );
  }
}

function contains(words: readonly (readonly string[])[], phrase: readonly string[]): boolean {
  return words.some((_, start) => phrase.every((word, i) => words[start + i]?.includes(word)));
}

/** The words of a text, each with the stems by which it is found, too. */
function formsIn(text: string): string[][] {
  const forms: string[][] = [];
  scan(fold(text), {
    word: (folded, start, end) => forms.push([folded.slice(start, end)]),
    stem: (folded, start, end) => forms.at(-1)?.push(folded.slice(start, end)),
    tag: () => undefined,
    mention: () => undefined,
  });
  return forms;
}

/** Names after a sign; the random texts have spaces around them. */
function signed(text: string, sign: string): string[] {
  return text
    .split(" ")
    .filter((part) => part.startsWith(sign))
    .map((part) => part.slice(1));
}
