import type { NamedMark } from "../../visual.js";

/** Sides of the squares that marks are compared in: a small one to search with, a larger one to verify with. */
export const SEARCH_SIDE = 16;
export const VERIFY_SIDE = 40;

/** A mark as a pattern of numbers with mean 0 and length 1, rows from the top. */
export type Pattern = Float32Array;

/** What a mark is found by. */
export interface MarkTemplate {
  name: string;
  search: Pattern;
  verify: Pattern;
}

/** Margin around the mark, as part of the square: its outline counts, too. */
const MARGIN = 0.1;
/** From this share of clear pixels the mark's shape is its outline; else its lightness is. */
const CLEAR_MIN = 0.05;

/** Draws a mark into the squares, as it is or turned by some degrees. Undefined when there is nothing to see. */
export const templateOf = async ({ name, png }: NamedMark): Promise<MarkTemplate | undefined> => {
  const search = await patternOf(png, SEARCH_SIDE);
  const verify = await patternOf(png, VERIFY_SIDE);
  return search === undefined || verify === undefined ? undefined : { name, search, verify };
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
  if (filled < 1 - CLEAR_MIN) return normalised(alpha);
  return normalised(
    alpha.map((value, at) => (value * (data[at * 4]! + 2 * data[at * 4 + 1]! + data[at * 4 + 2]!)) / 1020),
  );
};

/** Takes the mean away and scales to length 1; undefined when all are alike. */
export const normalised = (values: Float32Array): Pattern | undefined => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const length = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0));
  return length < 1e-6 ? undefined : values.map((value) => (value - mean) / length);
};
