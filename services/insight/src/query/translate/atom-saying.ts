import type { Atom } from "../language/expression.js";
import { tokenize } from "../words/tokenize.js";
import type { QueryDialect } from "./dialect.js";

/** Words that many platforms take as operators. */
const OPERATORS = new Set(["AND", "OR", "NOT", "NEAR"]);
const WORD_CHARACTERS = "\\p{L}\\p{N}\\p{M}\\p{Extended_Pictographic}\\p{Regional_Indicator}\\p{Emoji_Modifier}\\u200D";
const SIGNS_AROUND = new RegExp(`^[^${WORD_CHARACTERS}]+|[^${WORD_CHARACTERS}]+$`, "gu");
const SINGLE_WORD = new RegExp(`^[_${WORD_CHARACTERS}]+$`, "u");
const POSSESSIVE = /(?<=..)['’ʼ＇‘]s$/iu;

/** Says an atom; what a user writes never becomes an operator of the platform. */
export function sayAtom<Said>(atom: Atom, dialect: QueryDialect<Said>): Said | undefined {
  switch (atom.kind) {
    case "word":
      return sayWord(atom.text, dialect);
    case "phrase":
      return dialect.phrase(atom.text);
    case "prefix":
      return dialect.prefix?.(bare(atom.text));
    case "tag":
      return dialect.tag(atom.name.replaceAll(/[^\p{L}\p{N}\p{M}_]+/gu, ""));
    case "mention":
      return dialect.mention(atom.name.replaceAll(/[^\p{L}\p{N}\p{M}_.@-]+/gu, ""));
  }
}

/** Says the part of a word that is compared: `c` of `c++`, `kestrel` of `kestrel's`. */
function sayWord<Said>(text: string, dialect: QueryDialect<Said>): Said | undefined {
  const word = bare(text).replace(POSSESSIVE, "");
  const isPlain = SINGLE_WORD.test(word) && !OPERATORS.has(word) && tokenize(word).length === 1;
  return isPlain ? dialect.word(word) : dialect.phrase(word);
}

function bare(text: string): string {
  return text.replaceAll(SIGNS_AROUND, "");
}
