import { letterbox, type Region, resizeToFloats, widen } from "../../decode/image/resize.js";
import { keepLoaded } from "../../keep-loaded.js";
import type { Box, Frame } from "../../visual.js";
import { loadNetwork } from "../network-session.js";
import { OBJECT_LABELS, type ObjectLabel } from "./labels.js";
import { shipped } from "../../shipped-models.js";

/** The network's output: a box and the label's score, 0 to 1 but not a probability. */
export interface RawObject {
  label: ObjectLabel;
  score: number;
  box: Box;
}

/** The objects in two views of a frame, at most 100 in each. */
export interface TwoViews {
  /** The frame stretched to the network's square: the best view for small objects. */
  near: RawObject[];
  /** The frame with its aspect ratio and a margin: the network misses or confuses objects that fill its view. */
  far: RawObject[];
}

/** Detects the objects in both views of a frame. */
export type FindObjects = (frame: Frame) => Promise<TwoViews>;

/**
 * CenterNet on MobileNetV3, trained on COCO (github.com/610265158/mobilenetv3_centernet), from the npm package
 * @vladmandic/human 3.3.6 (MIT), converted by services/training/vision.
 */
const MODEL = shipped("objects/centernet.onnx");
const SHA256 = "be4039813513ac633a3b240340a3955e63074498967b667a7c31d0fcec4eb76d";
const SIDE = 512;
/** Width ratio of far and near view; of 1.2, 1.4, 1.7 and 2, 1.4 and 1.7 found most main subjects of tuning photos. */
const FARTHER = 1.4;
/** Colour of the margin in the far view. */
const GREY = 128;
const INPUT = "tower_0/images:0";
const OUTPUT = "tower_0/detections";
/** Numbers per object: left, top, right, bottom in pixels, score, label. */
const ROW = 6;

const load = async (): Promise<FindObjects> => {
  const run = await loadNetwork({ file: MODEL, sha256: SHA256, input: INPUT, side: SIDE });
  const see = async (frame: Frame, region: Region): Promise<RawObject[]> => {
    const pixels = resizeToFloats(frame, { width: SIDE, height: SIDE, region, beyond: GREY });
    return toObjects((await run(pixels))(OUTPUT), ([left, top, right, bottom]) => ({
      left: (region.left + (left / SIDE) * region.width) / frame.width,
      top: (region.top + (top / SIDE) * region.height) / frame.height,
      width: (((right - left) / SIDE) * region.width) / frame.width,
      height: (((bottom - top) / SIDE) * region.height) / frame.height,
    }));
  };
  return async (frame) => {
    const whole = { left: 0, top: 0, width: frame.width, height: frame.height };
    return { near: await see(frame, whole), far: await see(frame, widen(letterbox(frame), FARTHER)) };
  };
};

const kept = keepLoaded<"objects", FindObjects>(load);

/** The network of this process, loaded on first use. After a failure the next call retries. */
export const openNetwork = (): Promise<FindObjects> => kept("objects");

/** Left, top, right and bottom. */
type Corners = readonly [number, number, number, number];

const toObjects = (rows: Float32Array, toBox: (pixels: Corners) => Box): RawObject[] => {
  const objects: RawObject[] = [];
  for (let at = 0; at + ROW <= rows.length; at += ROW) {
    const label = OBJECT_LABELS[rows[at + 5]!];
    const box = clip(toBox([rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!]));
    if (label !== undefined && box.width > 0 && box.height > 0) objects.push({ label, score: rows[at + 4]!, box });
  }
  return objects;
};

const clip = ({ left, top, width, height }: Box): Box => {
  const [x, y] = [within(left), within(top)];
  return { left: x, top: y, width: within(left + width) - x, height: within(top + height) - y };
};

const within = (part: number): number => Math.min(1, Math.max(0, part));
