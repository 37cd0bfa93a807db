import type { Frame, PrintedLine } from "../types.js";
import {
  detectPrint,
  onItsSide,
  printNetworks,
  type PrintNetworks,
  type PrintRegion,
  rectify,
  type RotatedBox,
} from "./print-detection.js";

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
    const { text, confidence } = await recognizeLine(frame, box, networks);
    const print = text.replace(/\s+/g, " ").trim();
    if (confidence < CONFIDENCE_MIN || !isPlausiblePrint(print)) continue;
    pieces.push({ text: print, prob: confidence, box: boxWithin(frame, box) });
  }
  return inReadingOrder(pieces, frame.width / frame.height);
};

const areaOf = ({ box }: PrintRegion): number => box.width * box.height;

/** The upright bounding box of a rotated one, as fractions of the frame. */
const boxWithin = (frame: Frame, { x, y, width, height, angle }: RotatedBox): PrintedLine["box"] => {
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [halfWidth, halfHeight] = [(width * cos + height * sin) / 2, (width * sin + height * cos) / 2];
  const left = Math.max(0, (x - halfWidth) / frame.width);
  const top = Math.max(0, (y - halfHeight) / frame.height);
  const right = Math.min(1, (x + halfWidth) / frame.width);
  const bottom = Math.min(1, (y + halfHeight) / frame.height);
  return { left, top, width: right - left, height: bottom - top };
};

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
 * here, and a line's reading must not depend on its neighbors.
 */
const WIDTHS = [80, 160, 240, 320, 480, 640, 960, 1280] as const;
/** Ratio of height to width from which letters run up or down, or are stacked. */
const UPRIGHT_MIN = 1.5;
/** A line read with a lower confidence may be upside down. */
const CONFIDENT = 0.8;
/** An upside-down reading needs at least this confidence. */
const UPSIDE_DOWN_MIN = 0.9;

const COLORS = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] } as const;

/** Reads the line in a box of the frame, in any orientation. */
const recognizeLine = async (frame: Frame, box: RotatedBox, networks: PrintNetworks): Promise<RecognizedText> => {
  const line = box.height > box.width * UPRIGHT_MIN ? onItsSide(box) : box;
  const reading = await readAlong(frame, line, networks);
  if (reading.confidence >= CONFIDENT) return reading;
  const overturned = await readAlong(frame, { ...line, angle: line.angle + Math.PI }, networks);
  return overturned.confidence >= UPSIDE_DOWN_MIN ? overturned : reading;
};

const readAlong = async (frame: Frame, box: RotatedBox, networks: PrintNetworks): Promise<RecognizedText> => {
  const natural = (LINE_ROWS * box.width) / box.height;
  const narrow = await readAt(frame, box, networks, natural * NARROWED);
  if (narrow.text.length <= (natural * NARROWED * CROWDED) / STEP_COLUMNS) return narrow;
  const wide = await readAt(frame, box, networks, natural);
  return wide.confidence > narrow.confidence ? wide : narrow;
};

/** Reads a line drawn `columns` wide, or with the network's maximum width. */
const readAt = async (
  frame: Frame,
  box: RotatedBox,
  networks: PrintNetworks,
  columns: number,
): Promise<RecognizedText> => {
  const wanted = Math.max(1, Math.round(columns));
  const stride = WIDTHS.find((width) => width >= wanted) ?? WIDTHS.at(-1)!;
  const planes = { data: new Float32Array(3 * LINE_ROWS * stride), stride, rows: LINE_ROWS };
  const width = Math.min(wanted, stride);
  rectify(frame, box, { width, height: LINE_ROWS, normalization: COLORS }, planes);
  return decodeCtc(await networks.recognize(planes.data, LINE_ROWS, stride), networks.characters);
};

/** The network's reading of one line. */
interface RecognizedText {
  text: string;
  /** Mean likelihood of the characters, 0 to 1; 0 if there are none. */
  confidence: number;
}

/**
 * Decodes likelihoods, one row per step and one column per character; class 0 is the blank. Repetitions are merged,
 * blanks separate.
 */
export const decodeCtc = (likelihoods: Float32Array, characters: readonly string[]): RecognizedText => {
  const classes = characters.length;
  let [text, sum, count, last] = ["", 0, 0, 0];
  for (let start = 0; start + classes <= likelihoods.length; start += classes) {
    let best = 0;
    for (let index = 1; index < classes; index++) {
      if (likelihoods[start + index]! > likelihoods[start + best]!) best = index;
    }
    if (best !== 0 && best !== last) {
      text += characters[best]!;
      sum += likelihoods[start + best]!;
      count++;
    }
    last = best;
  }
  return { text, confidence: count === 0 ? 0 : sum / count };
};

/** Typical shares and sizes of print; readings of grain, leaves and railings differ. */
const SIGNS_MAX = 0.4;
const LETTERS_MIN = 2;

/** Shorter runs of letters in one case are not separate words, as in "YouTube". */
const RUN_MIN = 3;
/** A line with this many odd places, and one per so many letters, is in another script: "Mara3HH OTKpbIT". */
const ODD_MIN = 2;
const LETTERS_PER_ODD = 12;

/**
 * Whether a reading looks like print: at least two letters or digits, few other signs, no endless repetition of one
 * letter, no mixture of Chinese and Latin letters in a word, and capitals and digits in plausible places. This excludes
 * patterns that the network takes for signs, and unknown scripts, whose letters it takes for the most similar Latin
 * ones.
 */
export const isPlausiblePrint = (text: string): boolean => {
  const signs = [...text].filter((sign) => sign !== " ");
  const letters = signs.filter((sign) => /[\p{L}\p{N}]/u.test(sign));
  if (letters.length < LETTERS_MIN || letters.length < signs.length * (1 - SIGNS_MAX)) return false;
  if (letters.length > LETTERS_MIN && new Set(letters).size === 1) return false;
  const chinese = letters.filter((sign) => /\p{Script=Han}/u.test(sign)).length;
  if (chinese > 0 && chinese < Math.min(2, letters.length)) return false;
  const odd = text.split(/[^\p{L}\p{N}]+/u).reduce((sum, word) => sum + oddPlaces(word), 0);
  return odd < ODD_MIN || odd * LETTERS_PER_ODD < letters.length;
};

/**
 * Number of places in a word where a capital begins or ends a short run of letters, or digits stand between letters.
 */
const oddPlaces = (word: string): number => {
  if (!/\p{Ll}/u.test(word)) return 0;
  // The prefix of a name is not a run: "iPhone", "McDonald".
  const runs = word.replace(/^\p{L}\p{Ll}?(?=\p{Lu}\p{L}{2})/u, "").split(/(?<=\p{Ll})(?=\p{Lu})/u);
  const short = runs.slice(1).filter((run, at) => Math.min(run.length, runs[at]!.length) < RUN_MIN).length;
  return short + (word.match(/(?<=\p{L})\p{N}+(?=\p{L})/gu)?.length ?? 0);
};

/** Minimum vertical overlap of two pieces of one line, as a share of the lower height. */
const OVERLAP_MIN = 0.6;
/** Maximum ratio of the heights of two pieces of one line. */
const HEIGHT_RATIO_MAX = 1.6;
/** Maximum gap between them, in heights; a wider gap separates columns. */
const GAP_MAX = 1;

/** Joins the pieces of a line, and sorts lines in reading order: from the top, and from the left. */
export const inReadingOrder = (pieces: readonly PrintedLine[], aspect: number): PrintedLine[] => {
  const lines: PrintedLine[] = [];
  for (const piece of [...pieces].sort((a, b) => a.box.left - b.box.left)) {
    const at = lines.findIndex((line) => continues(line, piece, aspect));
    if (at < 0) lines.push(piece);
    else lines[at] = joined(lines[at]!, piece);
  }
  return sortedByRows(lines);
};

/** Whether a piece continues a line. `aspect` is the picture's width by its height: boxes are fractions of either. */
const continues = ({ box: line }: PrintedLine, { box: piece }: PrintedLine, aspect: number): boolean => {
  const lower = Math.min(line.height, piece.height);
  if (Math.max(line.height, piece.height) > lower * HEIGHT_RATIO_MAX) return false;
  if (overlapOf(line, piece) < lower * OVERLAP_MIN) return false;
  const gap = (piece.left - line.left - line.width) * aspect;
  return gap < lower * GAP_MAX && gap > -lower;
};

type Box = PrintedLine["box"];

const overlapOf = (a: Box, b: Box): number => Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);

const joined = (line: PrintedLine, piece: PrintedLine): PrintedLine => {
  const [left, top] = [line.box.left, Math.min(line.box.top, piece.box.top)];
  const right = Math.max(left + line.box.width, piece.box.left + piece.box.width);
  const bottom = Math.max(line.box.top + line.box.height, piece.box.top + piece.box.height);
  return {
    text: `${line.text} ${piece.text}`,
    prob: Math.min(line.prob, piece.prob),
    box: { left, top, width: right - left, height: bottom - top },
  };
};

/**
 * Lines whose middles lie within one line's height form a row; rows are sorted downwards, lines of a row to the right.
 */
const sortedByRows = (lines: readonly PrintedLine[]): PrintedLine[] => {
  const rows: PrintedLine[][] = [];
  for (const line of [...lines].sort((a, b) => middleOf(a) - middleOf(b))) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row !== undefined && first !== undefined && overlapOf(first.box, line.box) > first.box.height / 2)
      row.push(line);
    else rows.push([line]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.box.left - b.box.left));
};

const middleOf = ({ box }: PrintedLine): number => box.top + box.height / 2;
