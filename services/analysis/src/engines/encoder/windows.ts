import type { RawToken } from "../../text/tokenizer.js";
import type { Frame, Pieces } from "./vocabulary.js";

/** Pieces per network input, including the two at the ends; the same as in training. */
export const PIECES_MAX = 96;
/** The pieces at both ends. */
export const FRAME = 2;

/** Tokens from `from` up to, but excluding, `to`. */
export interface TokenRange {
  readonly from: number;
  readonly to: number;
}

/** The network's input for one window. */
export interface WindowInput {
  /** Vocabulary ids, including those at both ends. */
  readonly ids: readonly number[];
  /** The shape of each piece's token. */
  readonly shapes: readonly number[];
}

/**
 * Splits a text into windows of as many whole sentences as fit; only a sentence longer than a window is split, between
 * tokens. Every token is in exactly one window, and a text without tokens has one empty window.
 */
export const cutWindows = ({ tokens, ids }: Pieces): TokenRange[] => {
  const windows: TokenRange[] = [];
  let from = 0;
  let room = PIECES_MAX - FRAME;
  const close = (to: number): void => {
    if (to > from) windows.push({ from, to });
    from = to;
    room = PIECES_MAX - FRAME;
  };
  for (const sentence of sentencesOf(tokens, { from: 0, to: tokens.length })) {
    let size = 0;
    for (let i = sentence.from; i < sentence.to; i++) size += ids[i]?.length ?? 0;
    if (size > room) close(sentence.from);
    for (let i = sentence.from; i < sentence.to; i++) {
      const pieces = ids[i]?.length ?? 0;
      if (pieces > room) close(i);
      room -= pieces;
    }
  }
  close(tokens.length);
  return windows.length === 0 ? [{ from: 0, to: 0 }] : windows;
};

/** The sentences within a range: up to `.`, `!`, `?` or `…` with closing marks, or to the end of a line. */
export const sentencesOf = (tokens: readonly RawToken[], { from, to }: TokenRange): TokenRange[] =>
  split({ from, to }, (i) => {
    const token = tokens[i];
    if (token?.newLine === true) return true;
    if (token === undefined || isCloser(token)) return false;
    let before = i - 1;
    while (before > from && isCloser(tokens[before])) before--;
    const last = tokens[before];
    return last?.kind === "punctuation" && SENTENCE_END.test(last.text);
  });

/** Splits a range before every token for which `begins` is true. */
export const split = ({ from, to }: TokenRange, begins: (index: number) => boolean): TokenRange[] => {
  const parts: TokenRange[] = [];
  let start = from;
  for (let i = from + 1; i < to; i++) {
    if (!begins(i)) continue;
    parts.push({ from: start, to: i });
    start = i;
  }
  if (to > start) parts.push({ from: start, to });
  return parts;
};

/** Builds the network's input for the tokens of a window that are kept. */
export const inputOf = (
  { ids, shapes }: Pieces,
  { start, end }: Frame,
  window: TokenRange,
  isKept: (token: number) => boolean = () => true,
): WindowInput => {
  const input = { ids: [start], shapes: [0] };
  for (let i = window.from; i < window.to; i++) {
    if (!isKept(i)) continue;
    for (const id of ids[i] ?? []) {
      input.ids.push(id);
      input.shapes.push(shapes[i] ?? 0);
    }
  }
  input.ids.push(end);
  input.shapes.push(0);
  return input;
};

const SENTENCE_END = /^[.!?…]+$/;
const CLOSERS = /^[)\]}"'’”»]$/;

/** Tokens that belong to the sentence before: closing quotes and brackets, and emoji that end sentences. */
const isCloser = (token: RawToken | undefined): boolean =>
  token !== undefined &&
  !token.newLine &&
  (token.kind === "emoji" || token.kind === "emoticon" || (!token.spaced && CLOSERS.test(token.text)));
