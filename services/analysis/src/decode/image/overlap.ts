import type { Box } from "../../visual.js";

/** Shared area of two boxes, as a fraction of the frame. */
export const sharedArea = (a: Box, b: Box): number => {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
};

/** Intersection over union, 0 to 1. */
export const overlap = (a: Box, b: Box): number => {
  const shared = sharedArea(a, b);
  return shared === 0 ? 0 : shared / (a.width * a.height + b.width * b.height - shared);
};

/** Fraction of `inner` that lies within `outer`, 0 to 1. */
export const shareWithin = (inner: Box, outer: Box): number => sharedArea(inner, outer) / (inner.width * inner.height);
