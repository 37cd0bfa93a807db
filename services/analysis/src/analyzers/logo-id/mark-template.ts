import type { NamedMark } from "../../types.js";

/** Sides of the squares in which marks are compared: a small one for the search, a larger one for verification. */
export const SEARCH_SIDE = 16;
export const VERIFY_SIDE = 40;

/** A mark, prepared for the search. */
export interface MarkTemplate {
  name: string;
  search: Pattern;
  verify: Pattern;
  /** Of the mark in the square for verification. */
  extent: Extent;
  /** Similarity of the mark to a plain rectangle or ellipse. */
  plainness: number;
}

/** Margin around the mark, as a fraction of the square: the outline counts, too. */
const MARGIN = 0.1;
/** From this share of transparent pixels the mark is matched by its outline, below it by its lightness. */
const CLEAR_MIN = 0.05;

/** Draws a mark into the squares, upright or rotated by a few degrees. Undefined if the mark is blank. */
export const templateOf = async ({ name, png }: NamedMark): Promise<MarkTemplate | undefined> => {
  const search = await patternOf(png, SEARCH_SIDE);
  const verify = await patternOf(png, VERIFY_SIDE);
  if (search === undefined || verify === undefined) return undefined;
  const extent = extentOf(verify, VERIFY_SIDE);
  return { name, search, verify, extent, plainness: plainnessOf(verify, VERIFY_SIDE, extent) };
};

const patternOf = async (png: Uint8Array, side: number): Promise<Pattern | undefined> => {
  const { default: sharp } = await import("sharp");
  const inner = Math.round(side * (1 - 2 * MARGIN));
  const before = Math.floor((side - inner) / 2);
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const { data } = await sharp(png)
    .ensureAlpha()
    .resize(inner, inner, { fit: "contain", background: clear })
    .extend({
      top: before,
      left: before,
      bottom: side - inner - before,
      right: side - inner - before,
      background: clear,
    })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const alpha = Float32Array.from({ length: side * side }, (_, at) => data[at * 4 + 3]! / 255);
  const filled = alpha.reduce((sum, value) => sum + value, 0) / inner ** 2;
  if (filled < 1 - CLEAR_MIN) return normalized(alpha);
  return normalized(
    alpha.map((value, at) => (value * (data[at * 4]! + 2 * data[at * 4 + 1]! + data[at * 4 + 2]!)) / 1020),
  );
};

/**
 * The similarity of a square pattern to a plain rectangle or ellipse of the same extent, 0 to 1: buttons, windows,
 * wheels and suns match marks that are little else.
 */
const plainnessOf = (pattern: Pattern, side: number, extent: Extent): number =>
  Math.max(
    ...[isInRectangle, isInEllipse].map((isInside) => likenessOf(pattern, side, (x, y) => isInside(extent, x, y))),
  );

/** The outermost pixels of a mark in its square. */
export interface Extent {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The bounds of the pixels that differ from the margin by at least half as much as the mark does. */
const extentOf = (pattern: Pattern, side: number): Extent => {
  const ground = pattern[0]!;
  const most = pattern.reduce((max, value) => Math.max(max, Math.abs(value - ground)), 0);
  const extent = { left: side, right: 0, top: side, bottom: 0 };
  pattern.forEach((value, at) => {
    if (Math.abs(value - ground) < most / 2) return;
    const [x, y] = [at % side, Math.floor(at / side)];
    extent.left = Math.min(extent.left, x);
    extent.right = Math.max(extent.right, x);
    extent.top = Math.min(extent.top, y);
    extent.bottom = Math.max(extent.bottom, y);
  });
  return extent;
};

const isInRectangle = ({ left, right, top, bottom }: Extent, x: number, y: number): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

const isInEllipse = ({ left, right, top, bottom }: Extent, x: number, y: number): boolean => {
  const across = (2 * x - left - right) / (right - left + 1);
  const down = (2 * y - top - bottom) / (bottom - top + 1);
  return across * across + down * down <= 1;
};

const likenessOf = (pattern: Pattern, side: number, isInside: (x: number, y: number) => boolean): number => {
  const shape = normalized(pattern.map((_, at) => (isInside(at % side, Math.floor(at / side)) ? 1 : 0)));
  return shape === undefined ? 0 : Math.abs(shape.reduce((sum, value, at) => sum + value * pattern[at]!, 0));
};

/** A mark or a shape as a square of numbers with mean 0 and norm 1, rows from the top. */
export type Pattern = Float32Array;

/** Subtracts the mean and scales to norm 1; undefined if all values are equal. */
const normalized = (values: Float32Array): Pattern | undefined => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const length = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0));
  return length < 1e-6 ? undefined : values.map((value) => (value - mean) / length);
};
