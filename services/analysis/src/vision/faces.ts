import {
  createFrame,
  cropRotated,
  letterbox,
  overlap,
  type Region,
  regionOf,
  resizeRegion,
  resizeToFloats,
  scaleRegion,
  shareWithin,
} from "../media/frame.js";
import { keepLoaded, shipped } from "../models/shipped-models.js";
import type { Box, Frame } from "../types.js";
import { loadNetwork } from "./network.js";
import {
  ANIMAL_LABELS,
  detectObjects,
  type ObjectSighting,
  type RawObject,
  type TwoViews,
  viewObjects,
} from "./objects.js";

/** A person's face in a frame. */
export interface FaceSighting extends FaceTraits {
  /** Calibrated probability that it is a face, 0 to 1. */
  prob: number;
  box: Box;
  /** 128 numbers that are similar for faces of the same person; computed on first use. */
  descriptor(): Promise<number[]>;
}

/** The face detection model; the version changes whenever results may change. */
export const FACE_MODEL = { id: "face-api-ssd-mobilenetv1", version: "2" } as const;

const FACES = Symbol("faces");
const PLACES = Symbol("places of faces");

/**
 * The faces of people in a frame, the likeliest first; those of animals and things are excluded as far as they can be
 * recognized. Computed once per frame; the networks are loaded with the first. Rejects if they cannot be loaded.
 */
export const detectFaces = (frame: Frame): Promise<FaceSighting[]> => frame.once(FACES, describeFaces);

/** Like `detectFaces`, but only the positions. */
export const locateFaces = (frame: Frame): Promise<LikelyFace[]> => frame.once(PLACES, locateLikelyFaces);

const locateLikelyFaces = async (frame: Frame): Promise<LikelyFace[]> => {
  const views = await viewObjects(frame);
  const faces = toLikelyFaces(await findFaces(frame), views);
  if (!hidesLargeFace(await detectObjects(frame), faces)) return faces;
  return toLikelyFaces(await findLargeFaces(frame), views);
};

const describeFaces = async (frame: Frame): Promise<FaceSighting[]> => {
  const sightings: FaceSighting[] = [];
  for (const place of await locateFaces(frame)) sightings.push(await describeFace(frame, place));
  return sightings;
};

const describeFace = async (frame: Frame, { prob, box }: LikelyFace): Promise<FaceSighting> => {
  const traits = await traitsOf(frame, box);
  let descriptor: Promise<number[]> | undefined;
  return { prob, box, ...traits, descriptor: () => (descriptor ??= descriptorOf(frame, box)) };
};

/** A face with sufficient probability. */
interface LikelyFace {
  /** Calibrated, 0 to 1. */
  prob: number;
  box: Box;
}

/** A face belongs to a person or an animal that contains at least this share of it. */
const SHARE_OF_PERSON = 0.6;
const SHARE_OF_ANIMAL = 0.5;
/** Lower scores are noise. */
const SCORE_MIN = 0.4;
const OBJECT_SCORE_MIN = 0.12;
const PROB_MIN = 0.8;
/** A person so near that the face may fill the picture; the area is a fraction of the picture. */
const CLOSE_PROB_MIN = 0.9;
const CLOSE_AREA_MIN = 0.6;

/**
 * Logistic regression (ridge .2) of "it is a person's face" on the detector's score and on the object network's output
 * at that place, on the 113 candidates (100 faces, judged by eye) of the tuning photos of
 * services/training/vision/photos.json. Five-fold: Brier score .012, calibration error .041; at PROB_MIN precision and
 * recall are 1.
 */
const CALIBRATION = { intercept: -2.28, score: 3.57, person: 4.27, animal: -2.29 };

/**
 * The candidates of the face detector that are faces of people, judged by the object network's output there; the
 * likeliest first.
 */
export const toLikelyFaces = (faces: readonly RawFace[], views: TwoViews): LikelyFace[] =>
  faces
    .filter(({ score }) => score >= SCORE_MIN)
    .map(({ score, box }) => ({ prob: probOf(score, evidenceAt(box, views)), box }))
    .filter(({ prob }) => prob >= PROB_MIN)
    .sort((a, b) => b.prob - a.prob);

/** The strength of both views' evidence for a person at a place, and for animals. */
interface Evidence {
  person: number;
  animal: number;
}

const evidenceAt = (face: Box, { near, far }: TwoViews): Evidence => {
  const views = [evidenceIn(near, face), evidenceIn(far, face)];
  return {
    person: views.reduce((sum, { person }) => sum + person, 0),
    animal: views.reduce((sum, { animal }) => sum + animal, 0),
  };
};

/** An animal that the network does not know gets low scores for several known ones: these are summed. */
const evidenceIn = (objects: readonly RawObject[], face: Box): Evidence => {
  let person = 0;
  const animals = new Map<string, number>();
  for (const { label, score, box } of objects) {
    if (score < OBJECT_SCORE_MIN) continue;
    const share = shareWithin(face, box);
    if (label === "person" && share > SHARE_OF_PERSON) person = Math.max(person, score);
    const isAnimal = ANIMAL_LABELS.has(label) || label === "teddy bear";
    if (isAnimal && share > SHARE_OF_ANIMAL) animals.set(label, Math.max(score, animals.get(label) ?? 0));
  }
  return { person, animal: [...animals.values()].reduce((sum, score) => sum + score, 0) };
};

const probOf = (score: number, { person, animal }: Evidence): number => {
  const { intercept, ...slopes } = CALIBRATION;
  return 1 / (1 + Math.exp(-(intercept + slopes.score * score + slopes.person * person + slopes.animal * animal)));
};

/** Whether a person fills the picture but no face was found in it; the face may be as large as the picture. */
export const hidesLargeFace = (objects: readonly ObjectSighting[], faces: readonly LikelyFace[]): boolean =>
  faces.length === 0 &&
  objects.some(
    ({ label, prob, box }) => label === "person" && prob >= CLOSE_PROB_MIN && box.width * box.height >= CLOSE_AREA_MIN,
  );

/** The seven expressions of the network, in its order. */
const EXPRESSIONS = ["neutral", "happy", "sad", "angry", "fearful", "disgusted", "surprised"] as const;
type Expression = (typeof EXPRESSIONS)[number];

/** The detector's output: a box and a score, 0 to 1 but not a probability. */
interface RawFace {
  score: number;
  box: Box;
}

/** Estimates about a person from the face. */
interface FaceTraits {
  /** In years. */
  age: number;
  gender: "male" | "female";
  genderProb: number;
  expression: Expression;
  expressionProb: number;
}

/**
 * The networks of @vladmandic/face-api 1.7.15 (MIT), converted by services/training/vision: SSD on MobileNetV1, 68 landmarks,
 * age and gender, expressions, descriptor.
 */
const FOLDER = shipped("faces/");
const SHA256 = {
  detector: "951d700343c5a73fbb2b8d3b5ffd237f167fd9dba38fca8706410ac027c8ebf5",
  landmarks: "dec9a9d8786696bbab9f9bb9a13370861cd5a87b7403ee5f50a58102dee05e62",
  traits: "4a82653906c1029512dc2ade4290a19b33ae8b458cba7d19100ee89196981f0a",
  expression: "57fd3efb594cd3afa4f38b65fc824478e0ef99f6288e923661602ca1e49d2cae",
  descriptor: "b998447fba834ac3a9b6eb1863a3b74378a082aa5d2b5edb743a8a2338f1fb66",
} as const;
const SIDES = { detector: 512, landmarks: 112, traits: 112, expression: 112, descriptor: 150 } as const;

type NetworkName = keyof typeof SHA256;

const RAW_SCORE_MIN = 0.1;
const FACES_MAX = 60;
/** Of two boxes with a greater overlap, the likelier is kept. */
const OVERLAP_MAX = 0.5;
/** On every tuning photo, a box that filled more of a view was an animal, a thing, or a badly placed face. */
const VIEW_SHARE_MAX = 0.5;
/** Factor by which the view for large faces is wider. */
const FARTHER = 1.6;
/** Longer side of the picture of one face, in pixels. */
const FACE_SIDE = 150;
/** Margin around the landmarks as a fraction of their width and height, half on each side. */
const MARGIN = 0.2;
/** face-api's position of the middle between eyes and mouth, and their distance, in sides of the picture of a face. */
const FACE_CENTER = { across: 0.5, down: 0.43 };
const EYES_TO_MOUTH = 0.45;

/** A network of this process, loaded on first use. After a failure the next call retries. */
const openNetwork = keepLoaded((name: NetworkName) =>
  loadNetwork({ file: new URL(`${name}.onnx`, FOLDER), sha256: SHA256[name], input: "picture", side: SIDES[name] }),
);

/** Loads the networks. Rejects if they cannot be loaded. */
export const loadFaceNetworks = async (): Promise<void> => {
  await Promise.all((Object.keys(SHA256) as NetworkName[]).map((name) => openNetwork(name)));
};

/** Face candidates, the likeliest first. */
const findFaces = (frame: Frame): Promise<RawFace[]> => {
  const side = Math.max(frame.width, frame.height);
  return findFacesIn(frame, { left: 0, top: 0, width: side, height: side });
};

/** The same in a wider view: the network misses faces that fill its view. */
const findLargeFaces = (frame: Frame): Promise<RawFace[]> => findFacesIn(frame, scaleRegion(letterbox(frame), FARTHER));

const findFacesIn = async (frame: Frame, region: Region): Promise<RawFace[]> => {
  const output = await (
    await openNetwork("detector")
  )(resizeToFloats(frame, { width: SIDES.detector, height: SIDES.detector, region }));
  const [boxes, scores] = [output("boxes"), output("scores")];
  const along = (from: number, length: number, size: number) => {
    const part = (end: number) => Math.min(1, Math.max(0, (from + end * length) / size));
    return (start: number, end: number): [number, number] => [part(start), part(end) - part(start)];
  };
  const across = along(region.left, region.width, frame.width);
  const down = along(region.top, region.height, frame.height);
  const toBox = (at: number): Box => {
    const [left, width] = across(boxes[at + 1]!, boxes[at + 3]!);
    const [top, height] = down(boxes[at]!, boxes[at + 2]!);
    return { left, top, width, height };
  };
  const shareOfView = (at: number) => (boxes[at + 3]! - boxes[at + 1]!) * (boxes[at + 2]! - boxes[at]!);
  const faces = Array.from(scores, (score, i) => ({ score, at: i * 4 }))
    .filter(({ score, at }) => score >= RAW_SCORE_MIN && shareOfView(at) <= VIEW_SHARE_MAX)
    .map(({ score, at }) => ({ score, box: toBox(at) }))
    .filter(({ box }) => box.width > 0 && box.height > 0);
  return distinct(faces);
};

const distinct = (faces: readonly RawFace[]): RawFace[] => {
  const kept: RawFace[] = [];
  for (const face of faces.toSorted((a, b) => b.score - a.score)) {
    if (kept.length === FACES_MAX) break;
    if (!kept.some(({ box }) => overlap(box, face.box) > OVERLAP_MAX)) kept.push(face);
  }
  return kept;
};

/** Age, gender and expression of the face in a box. */
const traitsOf = async (frame: Frame, box: Box): Promise<FaceTraits> => {
  const picture = crop(frame, await aligned(frame, box));
  const [person, mood] = await Promise.all([runOn("traits", picture), runOn("expression", picture)]);
  const [male = 0, female = 0] = person("gender");
  const moods = mood("expression");
  const [expressionProb, at] = moods.reduce((best, prob, i) => (prob > best[0] ? [prob, i] : best), [-1, 0]);
  return {
    age: person("age")[0]!,
    gender: male > female ? "male" : "female",
    genderProb: Math.max(male, female),
    expression: EXPRESSIONS[at]!,
    expressionProb,
  };
};

/**
 * 128 numbers for the person whose face is in a box; the closer two descriptors are, the likelier it is the same
 * person.
 */
const descriptorOf = async (frame: Frame, box: Box): Promise<number[]> => {
  const picture = upright(frame, await landmarksOf(frame, box));
  return Array.from((await runOn("descriptor", picture))("descriptor"));
};

interface Point {
  x: number;
  y: number;
}

/** 68 points of a face, in the frame's pixels: chin, brows, nose, eyes (from 36 and 42), mouth (from 48). */
const landmarksOf = async (frame: Frame, box: Box): Promise<Point[]> => {
  const rough = regionOf(frame, box);
  const points = (await runOn("landmarks", crop(frame, rough)))("points");
  // The network's input is a square with the picture in its middle.
  const square = letterbox(rough);
  return Array.from({ length: points.length / 2 }, (_, i) => ({
    x: square.left + points[i * 2]! * square.width,
    y: square.top + points[i * 2 + 1]! * square.height,
  }));
};

/** The region around a face by its landmarks; the detector's boxes are too imprecise for the other networks. */
const aligned = async (frame: Frame, box: Box): Promise<Region> => {
  const points = await landmarksOf(frame, box);
  const along = (axis: "x" | "y"): [number, number] => {
    const values = points.map((point) => point[axis]);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return [least - ((most - least) * MARGIN) / 2, (most - least) * (1 + MARGIN)];
  };
  const [[x, width], [y, height]] = [along("x"), along("y")];
  const left = Math.min(frame.width - 1, Math.max(0, x));
  const top = Math.min(frame.height - 1, Math.max(0, y));
  return {
    left,
    top,
    width: Math.max(1, Math.min(frame.width - left, width)),
    height: Math.max(1, Math.min(frame.height - top, height)),
  };
};

/**
 * A face with level eyes in a fixed position, like dlib's training pictures for the network: at the distance below
 * which no two people are, 96 of 100 pairs of pictures of one person are recognized, 92 without rotation, 76 in plain
 * boxes.
 */
const upright = (frame: Frame, points: readonly Point[]): Frame => {
  const [left, right, mouth] = [
    middleOf(points.slice(36, 42)),
    middleOf(points.slice(42, 48)),
    middleOf(points.slice(48)),
  ];
  const toMouth = (eye: Point): number => Math.hypot(eye.x - mouth.x, eye.y - mouth.y);
  const side = Math.max(1, (toMouth(left) + toMouth(right)) / 2 / EYES_TO_MOUTH);
  const angle = Math.atan2(right.y - left.y, right.x - left.x);
  return cropRotated(frame, { ...middleOf([left, right, mouth]), ...FACE_CENTER, side, angle }, SIDES.descriptor);
};

const middleOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});

/** A region as a separate picture: the networks were made for faces on black, without their surroundings. */
const crop = (frame: Frame, region: Region): Frame => {
  const scale = FACE_SIDE / Math.max(region.width, region.height);
  const width = Math.max(1, Math.round(region.width * scale));
  const height = Math.max(1, Math.round(region.height * scale));
  return createFrame({ width, height, rgb: resizeRegion(frame, { region, width, height }), atMs: frame.atMs });
};

const runOn = async (
  name: Exclude<NetworkName, "detector">,
  picture: Frame,
): Promise<(output: string) => Float32Array> => {
  const side = SIDES[name];
  return (await openNetwork(name))(resizeToFloats(picture, { width: side, height: side, region: letterbox(picture) }));
};
