import { readFileSync } from "node:fs";
import type { Tensor } from "onnxruntime-node";
import { keepLoaded, shipped } from "../models/shipped-models.js";
import type { Frame } from "../types.js";
import { floatsOf, openSession } from "./network.js";
import { onItsSide, rectify, type RotatedBox } from "./print-detection.js";
import { scriptsOf, unreadScript } from "./print-scripts.js";

/** The network's reading of one line. */
export interface LineReading {
  text: string;
  /** Mean likelihood of the signs, 0 to 1; 0 if there are none. */
  confidence: number;
  /** Probability of each script. */
  scripts: Float64Array;
}

/** Reads the line in a box of the frame, in any orientation. */
export type ReadLine = (frame: Frame, box: RotatedBox) => Promise<LineReading>;

/**
 * PP-OCRv6 small (PaddleOCR, Apache-2.0), from the PyPI package rapidocr 3.10.0, converted by
 * services/training/vision/convert_reader.py, which adds the scores of scripts.
 */
const MODEL = shipped("words/pp-ocr-v6.onnx");
const SHA256 = "db7e44a05ecea3805ffc9d20d3a8c2a04080cdbf59de71c74546248577893fc8";
/** Its signs, one per line; the classes begin with the blank and end with the space. */
const SIGNS = shipped("words/signs.txt");

/** The reader, loaded on first use and cached for the process. The network runs on its own threads. */
export const printReader = (): Promise<ReadLine> => readers("all");

const loadReader = async (): Promise<ReadLine> => {
  // Sizes differ between lines; a memory plan for each would be kept.
  const { session, Tensor, name } = await openSession({ file: MODEL, sha256: SHA256 }, { enableMemPattern: false });
  const signs = ["", ...readFileSync(SIGNS, "utf8").split("\n"), " "];
  const recognize: Recognize = async (planes, columns) => {
    const { best, likelihood, scripts } = await session.run({
      line: new Tensor("float32", planes, [1, 3, LINE_ROWS, columns]),
    });
    return {
      best: integersOf(best, `${name}, output best`),
      likelihood: floatsOf(likelihood, `${name}, output likelihood`),
      scripts: floatsOf(scripts, `${name}, output scripts`),
    };
  };
  return (frame, box) => readInAnyDirection({ frame, recognize, signs }, box);
};

const readers = keepLoaded<"all", ReadLine>(loadReader);

const integersOf = (tensor: Tensor | undefined, what: string): Int32Array => {
  if (!(tensor?.data instanceof Int32Array)) throw new Error(`${what}, is missing or not of 32-bit integers`);
  return tensor.data;
};

/** Runs the network on three planes of 48 rows × `columns` numbers. */
type Recognize = (planes: Float32Array, columns: number) => Promise<Steps>;

/** One per 8 columns. */
interface Steps {
  /** Class of the likeliest sign. */
  best: Int32Array;
  likelihood: Float32Array;
  /** Scores of the scripts. */
  scripts: Float32Array;
}

/** What reading a line of a frame needs. */
interface Sheet {
  frame: Frame;
  recognize: Recognize;
  signs: readonly string[];
}

/** Height of the network's input. */
const LINE_ROWS = 48;
/** Columns per step of the network. */
const STEP_COLUMNS = 8;
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

const readInAnyDirection = async (sheet: Sheet, box: RotatedBox): Promise<LineReading> => {
  const line = box.height > box.width * UPRIGHT_MIN ? onItsSide(box) : box;
  const reading = await readAlong(sheet, line);
  if (reading.confidence >= CONFIDENT && unreadScript(reading.scripts) === undefined) return reading;
  // Latin letters on their head look like those of another script.
  const overturned = await readAlong(sheet, { ...line, angle: line.angle + Math.PI });
  const isUpsideDown = overturned.confidence >= UPSIDE_DOWN_MIN && unreadScript(overturned.scripts) === undefined;
  return isUpsideDown ? overturned : reading;
};

/** Reads a line drawn in its proportions, or squeezed to the maximum width. */
const readAlong = async ({ frame, recognize, signs }: Sheet, box: RotatedBox): Promise<LineReading> => {
  const wanted = Math.max(1, Math.round((LINE_ROWS * box.width) / box.height));
  const stride = WIDTHS.find((width) => width >= wanted) ?? WIDTHS.at(-1)!;
  const planes = { data: new Float32Array(3 * LINE_ROWS * stride), stride, rows: LINE_ROWS };
  const width = Math.min(wanted, stride);
  rectify(frame, box, { width, height: LINE_ROWS, normalization: COLORS }, planes);
  const steps = await recognize(planes.data, stride);
  return { ...decodeCtc(steps, signs), scripts: scriptsOf(steps.scripts, Math.ceil(width / STEP_COLUMNS)) };
};

/** Decodes the likeliest sign of each step; class 0 is the blank. Repetitions are merged, blanks separate. */
export const decodeCtc = (
  { best, likelihood }: Pick<Steps, "best" | "likelihood">,
  signs: readonly string[],
): Pick<LineReading, "text" | "confidence"> => {
  let [text, sum, count, last] = ["", 0, 0, 0];
  best.forEach((sign, step) => {
    if (sign !== 0 && sign !== last) {
      text += signs[sign]!;
      sum += likelihood[step]!;
      count++;
    }
    last = sign;
  });
  return { text, confidence: count === 0 ? 0 : sum / count };
};
