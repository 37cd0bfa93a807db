import type { NamedMark } from "../../types.js";
import { normalised, type Pattern } from "./pattern.js";
import { plainnessOf } from "./plain-outline.js";

/** Sides of the squares in which marks are compared: a small one for the search, a larger one for verification. */
export const SEARCH_SIDE = 16;
export const VERIFY_SIDE = 40;

/** A mark, prepared for the search. */
export interface MarkTemplate {
  name: string;
  search: Pattern;
  verify: Pattern;
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
  return { name, search, verify, plainness: plainnessOf(verify, VERIFY_SIDE) };
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
