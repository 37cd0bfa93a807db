import type { Box, Frame, PrintedLine, UnreadPrint } from "../types.js";
import { detectPrint, printDetector, type PrintRegion, type RotatedBox } from "./print-detection.js";
import { cyrillicEvidence } from "./print-look-alikes.js";
import { inReadingOrder, type PrintedPiece } from "./print-order.js";
import { type LineReading, printReader } from "./print-reader.js";
import { unreadScript } from "./print-scripts.js";

/** The reading model: networks of two releases of PP-OCR, with the version of the processing here. */
export const READING_MODEL = { id: "pp-ocr-v6", version: "1" } as const;

/** Readings with a lower confidence are dropped. */
const CONFIDENCE_MIN = 0.8;
/** Maximum number of lines per picture, the largest first; a page has about 60. */
const LINES_MAX = 80;

/** What is printed in a picture. */
interface Print {
  /** In reading order; lines beside each other form a row. */
  rows: readonly (readonly PrintedLine[])[];
  /** Lines in scripts that cannot be read, the largest first. */
  unread: readonly UnreadPrint[];
}

/**
 * Reads the print of a picture: Latin, Chinese and Japanese in any orientation, handwriting only by luck. Computed once
 * per frame. Throws if the networks cannot be loaded.
 */
export const readPrint = (frame: Frame): Promise<Print> => frame.once(PRINT, read);

/** The printed words of a picture, in reading order; empty if there are none. */
export const readWords = async (frame: Frame): Promise<PrintedLine[]> => (await readPrint(frame)).rows.flat();

/** More lines are a page or a table, whose rows belong together. */
const SCATTERED_MAX = 5;

/** The text of what was read, a line each; the cells of a row in one line. */
export const textLines = ({ rows }: Print): string[] => {
  const isPage = rows.flat().length > SCATTERED_MAX;
  return rows.flatMap((row) => (isPage ? [row.map(({ text }) => text).join(" ")] : row.map(({ text }) => text)));
};

const PRINT = Symbol("print");

const read = async (frame: Frame): Promise<Print> => {
  const detect = await printDetector();
  const regions = (await detectPrint(frame, detect)).sort((a, b) => areaOf(b) - areaOf(a)).slice(0, LINES_MAX);
  const readLine = regions.length > 0 ? await printReader() : undefined;
  const readings: PlacedReading[] = [];
  for (const { box } of regions) {
    const reading = await readLine?.(frame, box);
    if (reading !== undefined)
      readings.push({ ...reading, text: reading.text.replace(/\s+/g, " ").trim(), place: box });
  }
  return inOrder(frame, readings);
};

const areaOf = ({ box }: PrintRegion): number => box.width * box.height;

type PlacedReading = LineReading & { place: RotatedBox };

const inOrder = (frame: Frame, readings: readonly PlacedReading[]): Print => {
  const unread = unreadOf(readings);
  const sure = readings.filter((reading) => !unread.has(reading) && reading.confidence >= CONFIDENCE_MIN);
  const pieces = sure
    .filter(({ text, confidence }) => isPlausiblePrint(text) || (isSingleSign(text) && confidence >= SINGLE_MIN))
    .map(({ text, confidence, place }) => ({ text, prob: confidence, place }));
  return {
    rows: inReadingOrder(pieces)
      .map(withoutLoneSigns)
      .filter((row) => row.length > 0)
      .map((row) => row.map(({ text, prob, place }) => ({ text, prob, box: boxWithin(frame, place) }))),
    unread: [...unread].map(([{ place }, { script, prob }]) => ({ script, prob, box: boxWithin(frame, place) })),
  };
};

/** Evidence from which a picture's capitals that Latin and Cyrillic share are taken for Cyrillic. */
const LOOK_ALIKES_MIN = 2.5;
/** Other print of the picture that is surely in one of the two counts as much as this. */
const OTHER_PRINT = 2;

/** The lines in scripts that cannot be read. */
const unreadOf = (readings: readonly PlacedReading[]): Map<PlacedReading, Pick<UnreadPrint, "script" | "prob">> => {
  const unread = new Map<PlacedReading, Pick<UnreadPrint, "script" | "prob">>();
  const shared: PlacedReading[] = [];
  let evidence = 0;
  for (const reading of readings) {
    const found = isTooShort(reading) ? undefined : unreadScript(reading.scripts);
    const shares = cyrillicEvidence(reading.text);
    if (found !== undefined) unread.set(reading, found);
    else if (shares !== undefined) {
      shared.push(reading);
      evidence += shares;
    }
  }
  const others = readings.filter((reading) => !unread.has(reading) && !shared.includes(reading));
  if ([...unread.values()].some(({ script }) => script === "Cyrillic")) evidence += OTHER_PRINT;
  if (others.some(({ text, confidence }) => confidence >= CONFIDENCE_MIN && isPlausiblePrint(text)))
    evidence -= OTHER_PRINT;
  if (evidence < LOOK_ALIKES_MIN) return unread;
  const prob = 1 / (1 + Math.exp(-evidence));
  shared.forEach((reading) => unread.set(reading, { script: "Cyrillic", prob }));
  return unread;
};

/** Numbers and a few letters tell no script, if these are all that is in the line. */
const TELLING_MIN = 3;
const SHORT_CONFIDENCE_MIN = 0.9;
/** Minimum number of signs of a line whose width is its height. */
const DENSITY_MIN = 1.2;

const isTooShort = ({ text, confidence, place: { width, height } }: PlacedReading): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const aspect = Math.max(width, height) / Math.min(width, height);
  return letters < TELLING_MIN && confidence >= SHORT_CONFIDENCE_MIN && text.length >= aspect * DENSITY_MIN;
};

/** A single sign needs at least this confidence. */
const SINGLE_MIN = 0.95;

const isSingleSign = (text: string): boolean => /^[\p{L}\p{N}]$/u.test(text);

/** Single letters and digits are print only beside other print: grain and knobs look like them. */
const withoutLoneSigns = (row: readonly PrintedPiece[]): readonly PrintedPiece[] =>
  row.some(({ text }) => !isSingleSign(text)) ? row : [];

/** The upright bounding box of a rotated one, as fractions of the frame. */
const boxWithin = (frame: Frame, { x, y, width, height, angle }: RotatedBox): Box => {
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [halfWidth, halfHeight] = [(width * cos + height * sin) / 2, (width * sin + height * cos) / 2];
  const left = Math.max(0, (x - halfWidth) / frame.width);
  const top = Math.max(0, (y - halfHeight) / frame.height);
  const right = Math.min(1, (x + halfWidth) / frame.width);
  const bottom = Math.min(1, (y + halfHeight) / frame.height);
  return { left, top, width: right - left, height: bottom - top };
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
