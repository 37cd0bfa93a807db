import { letterbox, overlap, type Region, resizeToFloats, scaleRegion } from "../media/frame.js";
import { keepLoaded, shipped } from "../models/shipped-models.js";
import type { Box, Frame } from "../types.js";
import { loadNetwork } from "./network.js";

const OBJECTS = Symbol("objects");
const VIEWS = Symbol("views of objects");

/**
 * The objects in a frame, the likeliest first, without overlapping duplicates. Computed once per frame; the network is
 * loaded with the first. Rejects if it cannot be loaded.
 */
export const detectObjects = (frame: Frame): Promise<ObjectSighting[]> => frame.once(OBJECTS, detect);

/**
 * The network's complete output for a frame, including uncertain objects. Computed once per frame, together with
 * `detectObjects`.
 */
export const viewObjects = (frame: Frame): Promise<TwoViews> => frame.once(VIEWS, view);

/** Loads the network; rejects with the reason if that is not possible. */
export const loadObjectNetwork = async (): Promise<void> => {
  await openNetwork();
};

const detect = async (frame: Frame): Promise<ObjectSighting[]> => toSightings(await viewObjects(frame));

const view = async (frame: Frame): Promise<TwoViews> => {
  const find = await openNetwork();
  return find(frame);
};

/** An object in a frame. */
export interface ObjectSighting {
  label: ObjectLabel;
  /** Calibrated, 0 to 1. */
  prob: number;
  box: Box;
}

/** Of two boxes of one label with a greater overlap, the likelier is kept. */
const SAME_OBJECT = 0.45;
/** Boxes of both views with a greater overlap belong to one object. */
const SAME_PLACE = 0.5;
/** Of two labels whose boxes overlap more, the likelier is kept: a thing is a truck or a car. */
const SAME_THING = 0.55;
/** Lower scores are noise. */
const SCORE_MIN = 0.12;
/** More likely present than absent. */
const PROB_MIN = 0.5;

/**
 * Logistic regression of "it is there", judged by eye for 253 labels that the network named on the 172 tuning photos of
 * services/training/vision/photos.json, on the scores of both views together. Five-fold: Brier score .160, calibration
 * error .034; at PROB_MIN precision .83.
 */
const CALIBRATION = { intercept: -2.51, slope: 4.26 };

/** The objects by the network's output, the likeliest first. */
export const toSightings = ({ near, far }: TwoViews): ObjectSighting[] => {
  const views = [distinct(near), distinct(far)] as const;
  const sightings = [...rated(views[0], views[1]), ...rated(views[1], views[0])]
    .filter(({ prob }) => prob >= PROB_MIN)
    .sort((a, b) => b.prob - a.prob);
  const kept: ObjectSighting[] = [];
  for (const sighting of sightings) {
    const seen = kept.some(
      ({ label, box }) => overlap(box, sighting.box) > (label === sighting.label ? SAME_OBJECT : SAME_THING),
    );
    if (!seen) kept.push(sighting);
  }
  return kept;
};

const distinct = (objects: readonly RawObject[]): RawObject[] => {
  const kept: RawObject[] = [];
  for (const object of objects.filter(({ score }) => score >= SCORE_MIN).sort((a, b) => b.score - a.score)) {
    const seen = kept.some(({ label, box }) => label === object.label && overlap(box, object.box) > SAME_OBJECT);
    if (!seen) kept.push(object);
  }
  return kept;
};

/** The objects of one view with their probability by both views. */
const rated = (view: readonly RawObject[], other: readonly RawObject[]): ObjectSighting[] =>
  view.map(({ label, score, box }) => {
    const again = other.find((object) => object.label === label && overlap(object.box, box) > SAME_PLACE);
    const logit = CALIBRATION.intercept + CALIBRATION.slope * (score + (again?.score ?? 0));
    return { label, prob: 1 / (1 + Math.exp(-logit)), box };
  });

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
type FindObjects = (frame: Frame) => Promise<TwoViews>;

/**
 * CenterNet on MobileNetV3, trained on COCO (github.com/610265158/mobilenetv3_centernet), from the npm package
 * @vladmandic/human 3.3.6 (MIT), converted by services/training/vision.
 */
const MODEL = shipped("objects/centernet.onnx");
const SHA256 = "be4039813513ac633a3b240340a3955e63074498967b667a7c31d0fcec4eb76d";
const SIDE = 512;
/** Width ratio of far and near view; of 1.2, 1.4, 1.7 and 2, 1.4 and 1.7 found most main subjects of tuning photos. */
const FARTHER = 1.4;
/** Color of the margin in the far view. */
const GRAY = 128;
const INPUT = "tower_0/images:0";
const OUTPUT = "tower_0/detections";
/** Numbers per object: left, top, right, bottom in pixels, score, label. */
const ROW = 6;

const loadDetector = async (): Promise<FindObjects> => {
  const run = await loadNetwork({ file: MODEL, sha256: SHA256, input: INPUT, side: SIDE });
  const see = async (frame: Frame, region: Region): Promise<RawObject[]> => {
    const pixels = resizeToFloats(frame, { width: SIDE, height: SIDE, region, beyond: GRAY });
    return toObjects((await run(pixels))(OUTPUT), ([left, top, right, bottom]) => ({
      left: (region.left + (left / SIDE) * region.width) / frame.width,
      top: (region.top + (top / SIDE) * region.height) / frame.height,
      width: (((right - left) / SIDE) * region.width) / frame.width,
      height: (((bottom - top) / SIDE) * region.height) / frame.height,
    }));
  };
  return async (frame) => {
    const whole = { left: 0, top: 0, width: frame.width, height: frame.height };
    return { near: await see(frame, whole), far: await see(frame, scaleRegion(letterbox(frame), FARTHER)) };
  };
};

const detectors = keepLoaded<"objects", FindObjects>(loadDetector);

/** The network of this process, loaded on first use. After a failure the next call retries. */
const openNetwork = (): Promise<FindObjects> => detectors("objects");

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

/** The 80 kinds of objects of the COCO data set, in the order of the network's classes. */
const OBJECT_LABELS = [
  "person",
  "bicycle",
  "car",
  "motorcycle",
  "airplane",
  "bus",
  "train",
  "truck",
  "boat",
  "traffic light",
  "fire hydrant",
  "stop sign",
  "parking meter",
  "bench",
  "bird",
  "cat",
  "dog",
  "horse",
  "sheep",
  "cow",
  "elephant",
  "bear",
  "zebra",
  "giraffe",
  "backpack",
  "umbrella",
  "handbag",
  "tie",
  "suitcase",
  "frisbee",
  "skis",
  "snowboard",
  "sports ball",
  "kite",
  "baseball bat",
  "baseball glove",
  "skateboard",
  "surfboard",
  "tennis racket",
  "bottle",
  "wine glass",
  "cup",
  "fork",
  "knife",
  "spoon",
  "bowl",
  "banana",
  "apple",
  "sandwich",
  "orange",
  "broccoli",
  "carrot",
  "hot dog",
  "pizza",
  "donut",
  "cake",
  "chair",
  "couch",
  "potted plant",
  "bed",
  "dining table",
  "toilet",
  "tv",
  "laptop",
  "mouse",
  "remote",
  "keyboard",
  "cell phone",
  "microwave",
  "oven",
  "toaster",
  "sink",
  "refrigerator",
  "book",
  "clock",
  "vase",
  "scissors",
  "teddy bear",
  "hair drier",
  "toothbrush",
] as const;

/** A kind of object. */
export type ObjectLabel = (typeof OBJECT_LABELS)[number];

const kinds = (...labels: ObjectLabel[]): ReadonlySet<string> => new Set(labels);

/** The animals. */
export const ANIMAL_LABELS = kinds(
  "bird",
  "cat",
  "dog",
  "horse",
  "sheep",
  "cow",
  "elephant",
  "bear",
  "zebra",
  "giraffe",
);

/** Food. */
export const FOOD_LABELS = kinds(
  "banana",
  "apple",
  "sandwich",
  "orange",
  "broccoli",
  "carrot",
  "hot dog",
  "pizza",
  "donut",
  "cake",
);

/** Vessels for drinks. */
export const VESSEL_LABELS = kinds("cup", "wine glass", "bottle");
