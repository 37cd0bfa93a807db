import type { Frame, PrintedLine } from "../../visual.js";
import { detectPrint } from "./detect-print.js";
import { printNetworks } from "./networks.js";
import { isPlausiblePrint } from "./plausible-print.js";
import type { PrintRegion } from "./print-regions.js";
import { inReadingOrder } from "./reading-order.js";
import { recogniseLine } from "./recognise-line.js";
import type { TiltedBox } from "./tilted-box.js";

/** The reading model: the package's PP-OCRv4 networks, with the version of the processing here. */
export const READING_MODEL = { id: "pp-ocr-v4", version: "1" } as const;

/** Readings with a lower confidence are dropped. */
const CONFIDENCE_MIN = 0.8;
/** Maximum number of lines per picture, the largest first; a page has about 60. */
const LINES_MAX = 80;

/**
 * Reads the printed words in a picture, in reading order; empty if there are none. Latin and Chinese print in any
 * orientation; handwriting only by luck. Computed once per frame. Throws if the networks cannot be loaded.
 */
export const readWords = (frame: Frame): Promise<PrintedLine[]> => frame.once(WORDS, read);

const WORDS = Symbol("words");

const read = async (frame: Frame): Promise<PrintedLine[]> => {
  const networks = await printNetworks();
  const regions = (await detectPrint(frame, networks.detect)).sort((a, b) => areaOf(b) - areaOf(a)).slice(0, LINES_MAX);
  const pieces: PrintedLine[] = [];
  for (const { box } of regions) {
    const { text, confidence } = await recogniseLine(frame, box, networks);
    const print = text.replace(/\s+/g, " ").trim();
    if (confidence < CONFIDENCE_MIN || !isPlausiblePrint(print)) continue;
    pieces.push({ text: print, prob: confidence, box: boxWithin(frame, box) });
  }
  return inReadingOrder(pieces, frame.width / frame.height);
};

const areaOf = ({ box }: PrintRegion): number => box.width * box.height;

/** The upright bounding box of a rotated one, as fractions of the frame. */
const boxWithin = (frame: Frame, { x, y, width, height, angle }: TiltedBox): PrintedLine["box"] => {
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [halfWidth, halfHeight] = [(width * cos + height * sin) / 2, (width * sin + height * cos) / 2];
  const left = Math.max(0, (x - halfWidth) / frame.width);
  const top = Math.max(0, (y - halfHeight) / frame.height);
  const right = Math.min(1, (x + halfWidth) / frame.width);
  const bottom = Math.min(1, (y + halfHeight) / frame.height);
  return { left, top, width: right - left, height: bottom - top };
};
