import { contains, wordsOf } from "../query/words.js";

type Condition = (words: readonly string[]) => boolean;

const PIECE = /-?(?:"[^"]*"|[^\s|"]+)(?:\|(?:"[^"]*"|[^\s|"]+))*/gu;

/**
 * Reads `q` as YouTube's documentation describes it: a space requires both, `|` one of its neighbours, `-` excludes.
 * YouTube refuses no query; pieces that it cannot read find nothing here, so that tests notice them.
 */
export function readQuery(text: string): Condition {
  const pieces = text.match(PIECE) ?? [];
  if (text.replaceAll(PIECE, "").trim() !== "") return () => false;
  const conditions = pieces.map(conditionOf);
  return (words) => conditions.every((matches) => matches(words));
}

function conditionOf(piece: string): Condition {
  const isExcluded = piece.startsWith("-") && piece.length > 1;
  const alternatives = (isExcluded ? piece.slice(1) : piece).match(/"[^"]*"|[^|"]+/gu) ?? [];
  const phrases = alternatives.map((alternative) => wordsOf(alternative.replaceAll('"', "")));
  return (words) => phrases.some((phrase) => contains(words, phrase)) !== isExcluded;
}
