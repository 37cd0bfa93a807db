import type { RotatedBox } from "./print-detection.js";

/** A piece of print as it was read. */
export interface PrintedPiece {
  text: string;
  /** 0 to 1. */
  prob: number;
  /** In pixels of the frame. */
  place: RotatedBox;
}

/**
 * Brings pieces into reading order: rows from the top, each from the left, columns of running text one after the other.
 * Pieces of one line are joined, cells of a table stay pieces of their row. The whole may be skewed.
 */
export const inReadingOrder = (pieces: readonly PrintedPiece[]): PrintedPiece[][] => {
  const skew = skewOf(pieces);
  const lines = joinedLines(pieces.map((piece) => leveled(piece, skew)));
  return orderedBlocks(rowsOf(lines)).map((row) =>
    row.map(({ text, prob, box }) => ({ text, prob, place: turned(box, skew) })),
  );
};

/** A box with level sides, in pixels. */
interface LevelBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface LevelPiece {
  text: string;
  prob: number;
  box: LevelBox;
}

/** Only boxes this much wider than high tell a direction. */
const DIRECTED_MIN = 2;

/** The direction of most print, in radians: the median of the pieces, weighted by their widths. */
const skewOf = (pieces: readonly PrintedPiece[]): number => {
  const directed = pieces
    .map(({ place }) => place)
    .filter(({ width, height }) => width > height * DIRECTED_MIN)
    .sort((a, b) => a.angle - b.angle);
  const half = directed.reduce((sum, { width }) => sum + width, 0) / 2;
  let passed = 0;
  for (const { width, angle } of directed) {
    passed += width;
    if (passed >= half) return angle;
  }
  return 0;
};

/** Turns a piece around the frame's corner so that print of this skew becomes level. */
const leveled = ({ text, prob, place: { x, y, width, height } }: PrintedPiece, skew: number): LevelPiece => {
  const [cos, sin] = [Math.cos(skew), Math.sin(skew)];
  return {
    text,
    prob,
    box: { left: x * cos + y * sin - width / 2, top: y * cos - x * sin - height / 2, width, height },
  };
};

const turned = ({ left, top, width, height }: LevelBox, skew: number): RotatedBox => {
  const [cos, sin] = [Math.cos(skew), Math.sin(skew)];
  const [along, across] = [left + width / 2, top + height / 2];
  return { x: along * cos - across * sin, y: along * sin + across * cos, width, height, angle: skew };
};

/** Minimum vertical overlap of two pieces of one line, as a share of the lower height. */
const OVERLAP_MIN = 0.6;
/** Maximum ratio of the heights of two pieces of one line. */
const HEIGHT_RATIO_MAX = 1.6;
/** Maximum gap between them, in heights; a wider gap separates cells and columns. */
const GAP_MAX = 1;

const joinedLines = (pieces: readonly LevelPiece[]): LevelPiece[] => {
  const lines: LevelPiece[] = [];
  for (const piece of pieces.toSorted((a, b) => a.box.left - b.box.left)) {
    const at = lines.findIndex((line) => continues(line.box, piece.box));
    if (at < 0) lines.push(piece);
    else lines[at] = joined(lines[at]!, piece);
  }
  return lines;
};

const continues = (line: LevelBox, piece: LevelBox): boolean => {
  const lower = Math.min(line.height, piece.height);
  if (Math.max(line.height, piece.height) > lower * HEIGHT_RATIO_MAX) return false;
  if (overlapOf(line, piece) < lower * OVERLAP_MIN) return false;
  const gap = piece.left - line.left - line.width;
  return gap < lower * GAP_MAX && gap > -lower;
};

const overlapOf = (a: LevelBox, b: LevelBox): number =>
  Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);

const joined = (line: LevelPiece, piece: LevelPiece): LevelPiece => {
  const [left, top] = [line.box.left, Math.min(line.box.top, piece.box.top)];
  const right = Math.max(left + line.box.width, piece.box.left + piece.box.width);
  const bottom = Math.max(line.box.top + line.box.height, piece.box.top + piece.box.height);
  return {
    text: `${line.text} ${piece.text}`,
    prob: Math.min(line.prob, piece.prob),
    box: { left, top, width: right - left, height: bottom - top },
  };
};

/** Pieces whose middles lie within one piece's height form a row. */
const rowsOf = (lines: readonly LevelPiece[]): LevelPiece[][] => {
  const rows: LevelPiece[][] = [];
  for (const line of lines.toSorted((a, b) => middleOf(a) - middleOf(b))) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row !== undefined && first !== undefined && overlapOf(first.box, line.box) > first.box.height / 2)
      row.push(line);
    else rows.push([line]);
  }
  return rows.map((row) => row.sort((a, b) => a.box.left - b.box.left));
};

const middleOf = ({ box }: LevelPiece): number => box.top + box.height / 2;

/** Takes columns of running text out of their rows, the largest block of columns first. */
const orderedBlocks = (rows: LevelPiece[][]): LevelPiece[][] => {
  for (let length = rows.length; length >= COLUMN_LINES_MIN; length--) {
    for (let start = 0; start + length <= rows.length; start++) {
      const columns = columnsOf(rows.slice(start, start + length).flat());
      if (columns === undefined) continue;
      const parts = [rows.slice(0, start), ...columns.map(rowsOf), rows.slice(start + length)];
      return parts.flatMap(orderedBlocks);
    }
  }
  return rows;
};

/** Columns have at least this many lines of at least so many characters, most of them; cells of tables are shorter. */
const COLUMN_LINES_MIN = 3;
const RUNNING_TEXT_MIN = 18;
/** Minimum gap between columns, in heights of a line. */
const GUTTER_MIN = 0.8;

/** The pieces to the left and to the right of a gap that none of them crosses, if both are running text. */
const columnsOf = (pieces: readonly LevelPiece[]): [LevelPiece[], LevelPiece[]] | undefined => {
  const sorted = pieces.toSorted((a, b) => a.box.left - b.box.left);
  let right = -Infinity;
  for (const [at, { box }] of sorted.entries()) {
    if (box.left - right > box.height * GUTTER_MIN) {
      const columns: [LevelPiece[], LevelPiece[]] = [sorted.slice(0, at), sorted.slice(at)];
      if (columns.every(isRunningText)) return columns;
    }
    right = Math.max(right, box.left + box.width);
  }
  return undefined;
};

const isRunningText = (column: readonly LevelPiece[]): boolean => {
  const long = column.filter(({ text }) => text.length >= RUNNING_TEXT_MIN);
  return column.length >= COLUMN_LINES_MIN && long.length > column.length / 2;
};
