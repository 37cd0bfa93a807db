import type { Frame } from "../../visual.js";
import { decodeCtc, type Reading } from "./ctc.js";
import type { PrintNetworks } from "./networks.js";
import { straighten } from "./straighten.js";
import { onItsSide, type TiltedBox } from "./tilted-box.js";

/** Height of the network's input. */
const LINE_ROWS = 48;
/**
 * Letters are drawn narrower by this factor: the network was trained with lines squeezed to fit, and misses the spaces
 * of wide ones.
 */
const NARROWED = 0.7;
/**
 * Columns per step of the network; a line with more characters per step than this is drawn at full width, because some
 * of them merge.
 */
const STEP_COLUMNS = 8;
const CROWDED = 0.6;
/**
 * Widths that lines are padded to, so that few allocation sizes occur. Lines are read one by one: batches are no faster
 * here, and a line's reading must not depend on its neighbours.
 */
const WIDTHS = [80, 160, 240, 320, 480, 640, 960, 1280] as const;
/** Ratio of height to width from which letters run up or down, or are stacked. */
const UPRIGHT_MIN = 1.5;
/** A line read with a lower confidence may be upside down. */
const DOUBTFUL = 0.8;
/** An upside-down reading needs at least this confidence. */
const OVERTURNED_MIN = 0.9;

const COLOURS = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] } as const;

/** Reads the line in a box of the frame, in any orientation. */
export const recogniseLine = async (frame: Frame, box: TiltedBox, networks: PrintNetworks): Promise<Reading> => {
  const line = box.height > box.width * UPRIGHT_MIN ? onItsSide(box) : box;
  const reading = await readAlong(frame, line, networks);
  if (reading.confidence >= DOUBTFUL) return reading;
  const overturned = await readAlong(frame, { ...line, angle: line.angle + Math.PI }, networks);
  return overturned.confidence >= OVERTURNED_MIN ? overturned : reading;
};

const readAlong = async (frame: Frame, box: TiltedBox, networks: PrintNetworks): Promise<Reading> => {
  const natural = (LINE_ROWS * box.width) / box.height;
  const narrow = await readAt(frame, box, networks, natural * NARROWED);
  if (narrow.text.length <= (natural * NARROWED * CROWDED) / STEP_COLUMNS) return narrow;
  const wide = await readAt(frame, box, networks, natural);
  return wide.confidence > narrow.confidence ? wide : narrow;
};

/** Reads a line drawn `columns` wide, or with the network's maximum width. */
const readAt = async (frame: Frame, box: TiltedBox, networks: PrintNetworks, columns: number): Promise<Reading> => {
  const wanted = Math.max(1, Math.round(columns));
  const stride = WIDTHS.find((width) => width >= wanted) ?? WIDTHS.at(-1)!;
  const planes = { data: new Float32Array(3 * LINE_ROWS * stride), stride, rows: LINE_ROWS };
  const width = Math.min(wanted, stride);
  straighten(frame, box, { width, height: LINE_ROWS, normalisation: COLOURS }, planes);
  return decodeCtc(await networks.recognise(planes.data, LINE_ROWS, stride), networks.characters);
};
