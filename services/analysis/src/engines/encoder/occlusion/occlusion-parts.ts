import type { RawToken } from "../../../text/tokenizer.js";
import { sentencesOf, split, type TokenRange } from "../reading/windows.js";

/** Maximum number of words of a clause that is left out as a whole. */
const CLAUSE_WORDS_MAX = 12;

/**
 * The words within a range: tokens that a reader would call a word, with their clitics; `!` and `?` count, other marks
 * do not.
 */
export const wordsOf = (tokens: readonly RawToken[], { from, to }: TokenRange): TokenRange[] =>
  split({ from, to }, (i) => !continues(tokens, i)).filter((word) => speaks(tokens[word.from]));

/**
 * The sentences of a range; long ones are cut at commas and similar marks, and none is longer than `CLAUSE_WORDS_MAX`.
 */
export const clausesOf = (tokens: readonly RawToken[], range: TokenRange): TokenRange[] =>
  sentencesOf(tokens, range)
    .flatMap((sentence) => {
      if (wordsOf(tokens, sentence).length <= CLAUSE_WORDS_MAX) return [sentence];
      return split(
        sentence,
        (i) => tokens[i - 1]?.kind === "punctuation" && CLAUSE_END.test(tokens[i - 1]?.text ?? ""),
      );
    })
    .flatMap((clause) => cutEvenly(tokens, clause))
    .filter((clause) => wordsOf(tokens, clause).length > 0);

/** Joins neighbours until at most `count` are left. */
export const joinEvenly = (parts: readonly TokenRange[], count: number): TokenRange[] => {
  const joined: TokenRange[] = [];
  parts.forEach(({ from, to }, i) => {
    const group = Math.floor((i * Math.min(count, parts.length)) / parts.length);
    joined[group] = { from: joined[group]?.from ?? from, to };
  });
  return joined;
};

const CLAUSE_END = /^(?:[,;:–—]|-{2,}|\.{2,})$/;

const cutEvenly = (tokens: readonly RawToken[], clause: TokenRange): TokenRange[] => {
  const words = wordsOf(tokens, clause);
  const parts = Math.ceil(words.length / CLAUSE_WORDS_MAX);
  if (parts <= 1) return [clause];
  const starts = new Set<number>();
  for (let part = 1; part < parts; part++) starts.add(words[Math.round((part * words.length) / parts)]?.from ?? -1);
  return split(clause, (i) => starts.has(i));
};

/** Whether a token belongs to the word before it: `n't`, `'s`. */
const continues = (tokens: readonly RawToken[], i: number): boolean => {
  const [before, token] = [tokens[i - 1], tokens[i]];
  return before?.kind === "word" && token?.kind === "word" && !token.spaced && !token.newLine;
};

const speaks = (token: RawToken | undefined): boolean =>
  token !== undefined && (token.kind !== "punctuation" || /[!?]/.test(token.text));
