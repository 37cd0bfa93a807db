import type { PrintRegion } from "./print-regions.js";
import type { TiltedBox } from "./tilted-box.js";

/** Boxes around the same line differ by this ratio of heights at most; a taller one holds several lines. */
const HEIGHT_RATIO_MAX = 1.6;
/** A box must be longer than what it stands for by this ratio: nearer is more exact. */
const LONGER_MIN = 1.1;

/**
 * Of a picture seen from near and from afar, keeps the boxes that show most of each line: a box from afar takes the place of those
 * from near that it is longer than, and stands beside them where nothing was seen from near.
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

/** Whether the middle of a box lies in another. */
const isAround = (outer: TiltedBox, { x, y }: TiltedBox): boolean => {
  const [cos, sin] = [Math.cos(outer.angle), Math.sin(outer.angle)];
  const [right, down] = [x - outer.x, y - outer.y];
  const along = Math.abs(right * cos + down * sin);
  const across = Math.abs(down * cos - right * sin);
  return along <= outer.width / 2 && across <= outer.height / 2;
};
