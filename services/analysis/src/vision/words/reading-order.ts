import type { PrintedLine } from "../../visual.js";

/** Minimum vertical overlap of two pieces of one line, as a share of the lower height. */
const OVERLAP_MIN = 0.6;
/** Maximum ratio of the heights of two pieces of one line. */
const HEIGHT_RATIO_MAX = 1.6;
/** Maximum gap between them, in heights; a wider gap separates columns. */
const GAP_MAX = 1;

/** Joins the pieces of a line, and sorts lines in reading order: from the top, and from the left. */
export const inReadingOrder = (pieces: readonly PrintedLine[], aspect: number): PrintedLine[] => {
  const lines: PrintedLine[] = [];
  for (const piece of [...pieces].sort((a, b) => a.box.left - b.box.left)) {
    const at = lines.findIndex((line) => continues(line, piece, aspect));
    if (at < 0) lines.push(piece);
    else lines[at] = joined(lines[at]!, piece);
  }
  return sortedByRows(lines);
};

/** Whether a piece continues a line. `aspect` is the picture's width by its height: boxes are fractions of either. */
const continues = ({ box: line }: PrintedLine, { box: piece }: PrintedLine, aspect: number): boolean => {
  const lower = Math.min(line.height, piece.height);
  if (Math.max(line.height, piece.height) > lower * HEIGHT_RATIO_MAX) return false;
  if (overlapOf(line, piece) < lower * OVERLAP_MIN) return false;
  const gap = (piece.left - line.left - line.width) * aspect;
  return gap < lower * GAP_MAX && gap > -lower;
};

type Box = PrintedLine["box"];

const overlapOf = (a: Box, b: Box): number => Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);

const joined = (line: PrintedLine, piece: PrintedLine): PrintedLine => {
  const [left, top] = [line.box.left, Math.min(line.box.top, piece.box.top)];
  const right = Math.max(left + line.box.width, piece.box.left + piece.box.width);
  const bottom = Math.max(line.box.top + line.box.height, piece.box.top + piece.box.height);
  return {
    text: `${line.text} ${piece.text}`,
    prob: Math.min(line.prob, piece.prob),
    box: { left, top, width: right - left, height: bottom - top },
  };
};

/**
 * Lines whose middles lie within one line's height form a row; rows are sorted downwards, lines of a row to the right.
 */
const sortedByRows = (lines: readonly PrintedLine[]): PrintedLine[] => {
  const rows: PrintedLine[][] = [];
  for (const line of [...lines].sort((a, b) => middleOf(a) - middleOf(b))) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row !== undefined && first !== undefined && overlapOf(first.box, line.box) > first.box.height / 2)
      row.push(line);
    else rows.push([line]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.box.left - b.box.left));
};

const middleOf = ({ box }: PrintedLine): number => box.top + box.height / 2;
