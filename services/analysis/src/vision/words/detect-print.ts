import type { Frame } from "../../visual.js";
import type { RunNetwork } from "./networks.js";
import { type PrintMap, type PrintRegion, printRegions } from "./print-regions.js";
import { straighten } from "./straighten.js";

/**
 * What the network sees at most, in pixels: its longer side, and the whole, which takes the memory. Small pictures are enlarged
 * by half, so that small print is seen.
 */
const LONGER_SIDE_MAX = 960;
const PIXELS_MAX = 960 * 640;
const ENLARGED_MAX = 1.5;
/** Longer side of the first glance. */
const GLANCE_SIDE = 480;
/** Most pictures hold no print; where the first glance sees no pixel as likely as this, nobody looks closer. */
const GLANCE_MIN = 0.15;
/** Sides are filled up to multiples of this, so that few sizes of memory are asked for; the network needs multiples of 32. */
const SIDE_STEP = 160;

const COLOURS = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] } as const;

/** Finds lines of print, in pixels of the frame. */
export const detectPrint = async (frame: Frame, detect: RunNetwork): Promise<PrintRegion[]> => {
  const longer = Math.max(frame.width, frame.height);
  const glance = GLANCE_SIDE / longer;
  const closer = Math.min(
    LONGER_SIDE_MAX / longer,
    Math.sqrt(PIXELS_MAX / (frame.width * frame.height)),
    Math.max(glance, ENLARGED_MAX),
  );
  if (closer > glance) {
    const { map } = await mapOf(frame, glance, detect);
    if (!map.values.some((value, at) => value >= GLANCE_MIN && isInside(map, at))) return [];
  }
  const { map, scale } = await mapOf(frame, closer, detect);
  return printRegions(map).map(({ box, score }) => ({
    score,
    box: { x: box.x / scale, y: box.y / scale, width: box.width / scale, height: box.height / scale, angle: box.angle },
  }));
};

const mapOf = async (frame: Frame, scale: number, detect: RunNetwork): Promise<{ map: PrintMap; scale: number }> => {
  const width = Math.max(1, Math.round(frame.width * scale));
  const height = Math.max(1, Math.round(frame.height * scale));
  const stride = filledUp(width);
  const rows = filledUp(height);
  const planes = { data: new Float32Array(3 * stride * rows), stride, rows };
  const whole = { x: frame.width / 2, y: frame.height / 2, width: frame.width, height: frame.height, angle: 0 };
  straighten(frame, whole, { width, height, normalisation: COLOURS }, planes);
  return { map: { values: await detect(planes.data, rows, stride), stride, width, height }, scale };
};

const filledUp = (side: number): number => Math.ceil(side / SIDE_STEP) * SIDE_STEP;

const isInside = (map: PrintMap, at: number): boolean => at % map.stride < map.width && at < map.stride * map.height;
