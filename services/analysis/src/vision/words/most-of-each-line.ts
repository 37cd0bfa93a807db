import type { PrintRegion } from "./print-regions.js";
import type { TiltedBox } from "./tilted-box.js";

/** Maximum ratio of the heights of boxes around the same line; a taller one contains several lines. */
const HEIGHT_RATIO_MAX = 1.6;
/** A box replaces others only if it is longer by this ratio: boxes at full size are more exact. */
const LONGER_MIN = 1.1;

/**
 * Combines the boxes of a picture at full size (near) and reduced (afar), keeping those that cover most of each line: a
 * box from afar replaces the near boxes that it is longer than, and is added where there are none.
 */
export const mostOfEachLine = (near: readonly PrintRegion[], afar: readonly PrintRegion[]): PrintRegion[] => {
  const kept = new Set(near);
  for (const region of afar) {
    const covered = near.filter(({ box }) => isAround(region.box, box) || isAround(box, region.box));
    const alike = covered.filter(({ box }) => isOneLine(region.box, box));
    if (covered.length > 0 && alike.length === 0) continue;
    if (region.box.width < alike.reduce((sum, { box }) => sum + box.width, 0) * LONGER_MIN) continue;
    covered.forEach((one) => kept.delete(one));
    kept.add(region);
  }
  return [...kept];
};

const isOneLine = (a: TiltedBox, b: TiltedBox): boolean =>
  Math.max(a.height, b.height) <= Math.min(a.height, b.height) * HEIGHT_RATIO_MAX;

/** Whether the middle of a box is inside another. */
const isAround = (outer: TiltedBox, { x, y }: TiltedBox): boolean => {
  const [cos, sin] = [Math.cos(outer.angle), Math.sin(outer.angle)];
  const [right, down] = [x - outer.x, y - outer.y];
  const along = Math.abs(right * cos + down * sin);
  const across = Math.abs(down * cos - right * sin);
  return along <= outer.width / 2 && across <= outer.height / 2;
};
