import type { Box } from "../../visual.js";
import type { Point } from "./body.js";

/** A box in units of the frame's height; y grows downwards. */
export interface Extent {
  left: number;
  right: number;
  top: number;
  bottom: number;
  width: number;
  height: number;
}

/** The box in a frame of this aspect (width by height). */
export const extentOf = (box: Box, aspect: number): Extent => ({
  left: box.left * aspect,
  right: (box.left + box.width) * aspect,
  top: box.top,
  bottom: box.top + box.height,
  width: box.width * aspect,
  height: box.height,
});

/** Distance of a point from an extent; 0 inside. */
export const gap = ({ x, y }: Point, extent: Extent): number =>
  Math.hypot(Math.max(extent.left - x, 0, x - extent.right), Math.max(extent.top - y, 0, y - extent.bottom));

/** Horizontal overlap as a fraction of the narrower one's width, 0 to 1. */
export const sideOverlap = (a: Extent, b: Extent): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) / Math.min(a.width, b.width);

/** Fraction of `inner` that lies within `outer`, 0 to 1. */
export const within = (inner: Extent, outer: Extent): number => {
  const width = Math.min(inner.right, outer.right) - Math.max(inner.left, outer.left);
  const height = Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top);
  return width <= 0 || height <= 0 ? 0 : (width * height) / (inner.width * inner.height);
};

export const centre = (extent: Extent): Point => ({
  x: (extent.left + extent.right) / 2,
  y: (extent.top + extent.bottom) / 2,
});
