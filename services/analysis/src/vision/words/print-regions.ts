import { type Point, smallestBox, type TiltedBox } from "./tilted-box.js";

/** Likelihood of each pixel to be in the core of a line of print; rows from the top, `stride` apart. */
export interface PrintMap {
  values: Float32Array;
  stride: number;
  width: number;
  height: number;
}

/** A line of print, in pixels of the map. */
export interface PrintRegion {
  box: TiltedBox;
  /** Mean of the map inside the box before it is grown, 0 to 1. */
  score: number;
}

/**
 * Minimum likelihood of a print pixel (DB: Liao et al., "Real-time Scene Text Detection with Differentiable
 * Binarization", 2020).
 */
const PIXEL_MIN = 0.3;
const SCORE_MIN = 0.55;
/** Thinner cores are specks. */
const CORE_MIN = 3;
/** The network is trained with cores shrunk by this ratio of area to perimeter; boxes are grown back by it. */
const UNCLIP = 1.6;
/** Bounds the cost of noisy pictures to that of a page of print. */
const REGIONS_MAX = 1000;

/** Finds lines of print: connected pixels, their smallest rotated bounding box, grown back to the whole letters. */
export const printRegions = (map: PrintMap): PrintRegion[] => {
  const visited = new Uint8Array(map.stride * map.height);
  const regions: PrintRegion[] = [];
  for (let y = 0; y < map.height; y++) {
    for (let x = 0; x < map.width; x++) {
      const at = y * map.stride + x;
      if (visited[at] === 1 || map.values[at]! < PIXEL_MIN) continue;
      const region = regionOf(outlineFrom(map, at, visited), map);
      if (region !== undefined) regions.push(region);
      if (regions.length >= REGIONS_MAX) return regions;
    }
  }
  return regions;
};

const regionOf = (outline: readonly Point[], map: PrintMap): PrintRegion | undefined => {
  const core = smallestBox(outline);
  if (Math.min(core.width, core.height) + 1 < CORE_MIN) return undefined;
  const score = meanInside(map, core);
  return score < SCORE_MIN ? undefined : { box: grown(core), score };
};

/** Visits the pixels connected with the given one, and returns the first and last of each row. */
const outlineFrom = (map: PrintMap, start: number, visited: Uint8Array): Point[] => {
  const ends = new Map<number, [first: number, last: number]>();
  const stack = [start];
  visited[start] = 1;
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const y = Math.floor(at / map.stride);
    const x = at - y * map.stride;
    const row = ends.get(y);
    if (row === undefined) ends.set(y, [x, x]);
    else ends.set(y, [Math.min(row[0], x), Math.max(row[1], x)]);
    for (const [dx, dy] of AROUND) {
      const [nextX, nextY] = [x + dx, y + dy];
      if (nextX < 0 || nextY < 0 || nextX >= map.width || nextY >= map.height) continue;
      const next = nextY * map.stride + nextX;
      if (visited[next] === 1 || map.values[next]! < PIXEL_MIN) continue;
      visited[next] = 1;
      stack.push(next);
    }
  }
  return [...ends].flatMap(([y, [first, last]]) => [
    { x: first, y },
    { x: last, y },
  ]);
};

const AROUND = [-1, 0, 1].flatMap((dy) =>
  [-1, 0, 1].map((dx) => [dx, dy] as const).filter(([dx]) => dx !== 0 || dy !== 0),
);

/** Mean of the map over a grid of points in the box, about one per pixel. */
const meanInside = (map: PrintMap, box: TiltedBox): number => {
  const [cos, sin] = [Math.cos(box.angle), Math.sin(box.angle)];
  const columns = Math.max(1, Math.round(box.width));
  const rows = Math.max(1, Math.round(box.height));
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    const across = ((row + 0.5) / rows - 0.5) * box.height;
    for (let column = 0; column < columns; column++) {
      const along = ((column + 0.5) / columns - 0.5) * box.width;
      const x = clamped(Math.round(box.x + along * cos - across * sin), map.width);
      const y = clamped(Math.round(box.y + along * sin + across * cos), map.height);
      sum += map.values[y * map.stride + x]!;
    }
  }
  return sum / (rows * columns);
};

const clamped = (value: number, length: number): number => Math.min(length - 1, Math.max(0, value));

const grown = (core: TiltedBox): TiltedBox => {
  const [width, height] = [core.width + 1, core.height + 1];
  const margin = (UNCLIP * width * height) / (2 * (width + height));
  return { ...core, width: width + 2 * margin, height: height + 2 * margin };
};
