/** A point of a picture in pixels, from the top left. */
export interface Point {
  x: number;
  y: number;
}

/**
 * A rectangle that may be rotated: its centre, its sides, and the direction of `width` in radians, clockwise as seen.
 */
export interface TiltedBox extends Point {
  width: number;
  height: number;
  angle: number;
}

/** The smallest rectangle around at least one point; its angle is above -45° and at most 45°. */
export const smallestBox = (points: readonly Point[]): TiltedBox => {
  const hull = convexHull(points);
  let best: TiltedBox | undefined;
  hull.forEach((from, at) => {
    const to = hull[(at + 1) % hull.length]!;
    const box = boxAlong(hull, quarterTurned(Math.atan2(to.y - from.y, to.x - from.x)));
    if (best === undefined || box.width * box.height < best.width * best.height) best = box;
  });
  if (best === undefined) throw new RangeError("no points to put a box around");
  return best;
};

/** The same rectangle with `width` along the other side, rotated a quarter turn counterclockwise. */
export const onItsSide = (box: TiltedBox): TiltedBox => ({
  ...box,
  width: box.height,
  height: box.width,
  angle: box.angle - Math.PI / 2,
});

/** Brings a direction within ±45° by quarter turns, which map the sides of a rectangle onto each other. */
const quarterTurned = (angle: number): number => angle - Math.round(angle / (Math.PI / 2)) * (Math.PI / 2);

const boxAlong = (points: readonly Point[], angle: number): TiltedBox => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    const along = x * cos + y * sin;
    const across = y * cos - x * sin;
    left = Math.min(left, along);
    right = Math.max(right, along);
    top = Math.min(top, across);
    bottom = Math.max(bottom, across);
  }
  const [along, across] = [(left + right) / 2, (top + bottom) / 2];
  const centre = { x: along * cos - across * sin, y: along * sin + across * cos };
  return { ...centre, width: right - left, height: bottom - top, angle };
};

/** Andrew's monotone chain. */
const convexHull = (points: readonly Point[]): Point[] => {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  if (sorted.length < 3) return sorted;
  const lower = halfHull(sorted);
  const upper = halfHull(sorted.reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
};

const halfHull = (sorted: readonly Point[]): Point[] => {
  const hull: Point[] = [];
  for (const point of sorted) {
    while (hull.length >= 2 && turn(hull.at(-2)!, hull.at(-1)!, point) <= 0) hull.pop();
    hull.push(point);
  }
  return hull;
};

const turn = (a: Point, b: Point, c: Point): number => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
