import type { Frame } from "../../visual.js";
import { decodeCtc, type Reading } from "./ctc.js";
import type { PrintNetworks } from "./networks.js";
import { straighten } from "./straighten.js";
import { onItsSide, type TiltedBox } from "./tilted-box.js";

/** Rows that the network reads. */
const LINE_ROWS = 48;
/** Letters are drawn narrower than they are by this: the network learned lines made to fit, and loses the spaces of wide ones. */
const NARROWED = 0.7;
/** Columns of a step of the network; with more characters a step than this some run together, and are drawn as wide as they are. */
const STEP_COLUMNS = 8;
const CROWDED = 0.6;
/**
 * Widths that lines are filled up to, so that few sizes of memory are asked for. Lines are read one by one: batches are no
 * faster here, and a line's reading must not depend on its neighbours.
 */
const WIDTHS = [80, 160, 240, 320, 480, 640, 960, 1280] as const;
/** Taller than wide by this: letters run up or down, or stand on each other. */
const UPRIGHT_MIN = 1.5;
/** What is read worse than this may stand on its head. */
const DOUBTFUL = 0.8;
/** A line that stands on its head must be read better than that. */
const OVERTURNED_MIN = 0.9;

const COLOURS = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] } as const;

/** Reads what stands in a box of the frame, whichever way up. */
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

/** Reads a line that is drawn `columns` wide, or as wide as the network may. */
const readAt = async (frame: Frame, box: TiltedBox, networks: PrintNetworks, columns: number): Promise<Reading> => {
  const wanted = Math.max(1, Math.round(columns));
  const stride = WIDTHS.find((width) => width >= wanted) ?? WIDTHS.at(-1)!;
  const planes = { data: new Float32Array(3 * LINE_ROWS * stride), stride, rows: LINE_ROWS };
  const width = Math.min(wanted, stride);
  straighten(frame, box, { width, height: LINE_ROWS, normalisation: COLOURS }, planes);
  return decodeCtc(await networks.recognise(planes.data, LINE_ROWS, stride), networks.characters);
};
