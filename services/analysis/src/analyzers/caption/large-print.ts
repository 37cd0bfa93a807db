import type { PrintedLine } from "../../types.js";

/**
 * The largest line of print if it is short and belongs to the scene. Undefined for longer texts, and for names and
 * addresses that were overlaid at the picture's edge.
 */
export const largePrint = (lines: readonly PrintedLine[]): string | undefined => {
  const [largest] = lines
    .filter(({ prob, box, text }) => prob >= PROB_MIN && box.height >= HEIGHT_MIN && WORD.test(text))
    .sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  if (!largest || lines.length > LINES_MAX || largest.text.length > LENGTH_MAX) return undefined;
  return MARK.test(largest.text) || isAtEdge(largest.box) ? undefined : largest.text;
};

const isAtEdge = ({ top, height }: PrintedLine["box"]): boolean => {
  const middle = top + height / 2;
  return height < EDGE_HEIGHT_MIN && (middle < EDGE || middle > 1 - EDGE);
};

const WORD = /\p{L}{4}|\p{Script=Han}{2}/u;
/** Addresses and copyright notices. */
const MARK = /@|©|\(c\)|copyright|www|https?:|\.[a-z]{2,4}\b/i;
const PROB_MIN = 0.98;
/** Fractions of the frame's height. */
const HEIGHT_MIN = 0.04;
const EDGE = 0.1;
const EDGE_HEIGHT_MIN = 0.1;
/** Characters. */
const LENGTH_MAX = 30;
/** More lines are a text rather than a sign. */
const LINES_MAX = 4;
