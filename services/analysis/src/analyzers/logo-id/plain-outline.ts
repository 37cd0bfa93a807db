import { normalised, type Pattern } from "./pattern.js";

/**
 * The similarity of a square pattern to a plain rectangle or ellipse of the same extent, 0 to 1: buttons, windows,
 * wheels and suns match marks that are little else.
 */
export const plainnessOf = (pattern: Pattern, side: number): number => {
  const extent = extentOf(pattern, side);
  return Math.max(
    ...[isInRectangle, isInEllipse].map((isInside) => likenessOf(pattern, side, (x, y) => isInside(extent, x, y))),
  );
};

interface Extent {
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
  const shape = normalised(pattern.map((_, at) => (isInside(at % side, Math.floor(at / side)) ? 1 : 0)));
  return shape === undefined ? 0 : Math.abs(shape.reduce((sum, value, at) => sum + value * pattern[at]!, 0));
};
