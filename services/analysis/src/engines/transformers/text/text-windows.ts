import type { RawToken } from "../../../text/tokenizer.js";

/** A run of consecutive tokens that a model reads at once; `last` is inclusive. */
export interface TextWindow {
  first: number;
  last: number;
  /** Its number of pieces of the model's vocabulary. */
  pieces: number;
}

const SENTENCE_END = /^[.!?…。！？]+$/u;

/**
 * Splits a text into windows of whole sentences with at most `piecesMax` pieces; a longer sentence is split between
 * words. Every token is in one window; a text without tokens has none.
 */
export function cutWindows(
  tokens: readonly RawToken[],
  piecesOf: (token: RawToken) => number,
  piecesMax: number,
): TextWindow[] {
  const windows: TextWindow[] = [];
  let current: TextWindow | undefined;
  for (const sentence of sentencesOf(tokens, piecesOf)) {
    if (current !== undefined && current.pieces + sentence.pieces <= piecesMax) {
      current = { first: current.first, last: sentence.last, pieces: current.pieces + sentence.pieces };
      windows[windows.length - 1] = current;
    } else {
      windows.push(...cutSentence(tokens, sentence, { piecesOf, piecesMax }));
      current = windows.at(-1);
    }
  }
  return windows;
}

function sentencesOf(tokens: readonly RawToken[], piecesOf: (token: RawToken) => number): TextWindow[] {
  const sentences: TextWindow[] = [];
  let first = 0;
  let pieces = 0;
  tokens.forEach((token, at) => {
    pieces += piecesOf(token);
    const next = tokens[at + 1];
    if (next !== undefined && !next.newLine && !(SENTENCE_END.test(token.text) && next.spaced)) return;
    sentences.push({ first, last: at, pieces });
    first = at + 1;
    pieces = 0;
  });
  return sentences;
}

function cutSentence(
  tokens: readonly RawToken[],
  sentence: TextWindow,
  { piecesOf, piecesMax }: { piecesOf: (token: RawToken) => number; piecesMax: number },
): TextWindow[] {
  if (sentence.pieces <= piecesMax) return [sentence];
  const parts: TextWindow[] = [];
  let part: TextWindow | undefined;
  tokens.slice(sentence.first, sentence.last + 1).forEach((token, offset) => {
    const at = sentence.first + offset;
    const pieces = piecesOf(token);
    if (part !== undefined && part.pieces + pieces <= piecesMax) {
      part.last = at;
      part.pieces += pieces;
    } else {
      part = { first: at, last: at, pieces };
      parts.push(part);
    }
  });
  return parts;
}
