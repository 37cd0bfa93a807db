import type { Frame } from "../../visual.js";
import type { RunNetwork } from "./networks.js";
import { mostOfEachLine } from "./most-of-each-line.js";
import { type PrintMap, type PrintRegion, printRegions } from "./print-regions.js";
import { straighten } from "./straighten.js";

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
const GLANCE_SIDE = 480;
/** If no pixel of the reduced view is as likely as this, there is hardly any print. */
const GLANCE_MIN = 0.15;
/** Sides are padded to multiples of this, so that few allocation sizes occur; the network needs multiples of 32. */
const SIDE_STEP = 160;

const COLOURS = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] } as const;

/**
 * Finds lines of print, in pixels of the frame: at full size, and in the reduced view where full size finds less of a
 * line. For films, only frames with print in the reduced view are read at full size: there are many frames, and print
 * meant to be read is large and stays long.
 */
export const detectPrint = async (frame: Frame, detect: RunNetwork): Promise<PrintRegion[]> => {
  const longer = Math.max(frame.width, frame.height);
  const afar = GLANCE_SIDE / longer;
  const near = Math.min(
    LONGER_SIDE_MAX / longer,
    Math.sqrt(PIXELS_MAX / (frame.width * frame.height)),
    Math.max(afar, ENLARGED_MAX),
  );
  if (near <= afar) return regionsOf(await mapOf(frame, near, detect));
  const glance = await mapOf(frame, afar, detect);
  if (frame.atMs > 0 && !hasPrint(glance.map)) return [];
  return mostOfEachLine(regionsOf(await mapOf(frame, near, detect)), regionsOf(glance));
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
  map.values.some((value, at) => value >= GLANCE_MIN && at % map.stride < map.width && at < map.stride * map.height);

const mapOf = async (frame: Frame, scale: number, detect: RunNetwork): Promise<ScaledMap> => {
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
