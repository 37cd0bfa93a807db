import { createRequire } from "node:module";
import path from "node:path";
import type * as FaceApi from "@vladmandic/face-api";
import { type Region, regionOf, resizeRegion } from "../../image/resize.js";
import type { Box, Frame } from "../../visual.js";

/** What a face looks like, by the seven classes of the network. */
export type Expression = "neutral" | "happy" | "sad" | "angry" | "fearful" | "disgusted" | "surprised";

/** What the detector says: a box, and how much it speaks for a face, 0 to 1 but not a probability. */
export interface RawFace {
  score: number;
  box: Box;
}

/** What is estimated of a person from the face. */
export interface FaceTraits {
  /** In years. */
  age: number;
  gender: "male" | "female";
  genderProb: number;
  expression: Expression;
  expressionProb: number;
}

/** The networks for faces of one process. */
export interface FaceNetworks {
  /** Where there may be faces, those with a score of at least 0.1. */
  locate(frame: Frame): Promise<RawFace[]>;
  traits(frame: Frame, box: Box): Promise<FaceTraits>;
  /** 128 numbers of a person; they are closer to each other the likelier it is the same one. */
  descriptor(frame: Frame, box: Box): Promise<number[]>;
}

/** The parts of @vladmandic/face-api and of TensorFlow.js that are used, in their build for Node without native code. */
type FaceLibrary = typeof FaceApi;

const SCORE_MIN = 0.1;
const FACES_MAX = 60;
/** Side of the detector's input. */
const DETECTOR_SIDE = 512;
/** Longer side of the picture of one face, in pixels; the networks' inputs are 112 and 150. */
const FACE_SIDE = 150;

let networks: Promise<FaceNetworks> | undefined;

/**
 * The networks of @vladmandic/face-api (MIT): SSD on MobileNetV1, 68 landmarks, expressions, age and gender, descriptor. They
 * are loaded on first use; after a failure the next call tries again.
 */
export const openFaceNetworks = (): Promise<FaceNetworks> => {
  networks ??= load().catch((error: unknown) => {
    networks = undefined;
    throw error;
  });
  return networks;
};

const load = async (): Promise<FaceNetworks> => {
  const require = createRequire(import.meta.url);
  const wasm = (await import("@tensorflow/tfjs-backend-wasm")) as { setWasmPaths(folder: string): void };
  wasm.setWasmPaths(`${path.dirname(require.resolve("@tensorflow/tfjs-backend-wasm"))}/`);
  const library = require("@vladmandic/face-api/dist/face-api.node-wasm.js") as FaceLibrary;
  const tf = library.tf as unknown as { setBackend(name: string): Promise<boolean>; ready(): Promise<void> };
  if (!(await tf.setBackend("wasm"))) throw new Error("WebAssembly is not available for the networks of faces");
  await tf.ready();
  const folder = path.join(path.dirname(require.resolve("@vladmandic/face-api/package.json")), "model");
  const { ssdMobilenetv1, faceLandmark68Net, ageGenderNet, faceExpressionNet, faceRecognitionNet } = library.nets;
  for (const net of [ssdMobilenetv1, faceLandmark68Net, ageGenderNet, faceExpressionNet, faceRecognitionNet]) {
    await net.loadFromDisk(folder);
  }
  return {
    locate: (frame) => locate(library, frame),
    traits: (frame, box) => traits(library, frame, box),
    descriptor: (frame, box) => descriptor(library, frame, box),
  };
};

const locate = async (library: FaceLibrary, frame: Frame): Promise<RawFace[]> => {
  const scale = DETECTOR_SIDE / Math.max(frame.width, frame.height);
  const whole = { left: 0, top: 0, width: frame.width, height: frame.height };
  return withTensor(library, { frame, region: whole, scale }, async (tensor) => {
    const options = { minConfidence: SCORE_MIN, maxResults: FACES_MAX };
    const found = await library.nets.ssdMobilenetv1.locateFaces(tensor, options);
    return found.map(({ score, relativeBox: { x, y, width, height } }) => ({
      score,
      box: within(x, y, width, height),
    }));
  });
};

const within = (x: number, y: number, width: number, height: number): Box => {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  return { left, top, width: Math.min(1, x + width) - left, height: Math.min(1, y + height) - top };
};

const traits = async (library: FaceLibrary, frame: Frame, box: Box): Promise<FaceTraits> => {
  const region = await align(library, frame, regionOf(frame, box));
  return withTensor(library, { frame, region, scale: scaleTo(FACE_SIDE, region) }, async (tensor) => {
    const person = only(await library.nets.ageGenderNet.predictAgeAndGender(tensor));
    const [expression] = only(await library.nets.faceExpressionNet.predictExpressions(tensor)).asSortedArray();
    if (expression === undefined) throw new Error("the network for expressions said nothing");
    return {
      age: person.age,
      gender: person.gender as "male" | "female",
      genderProb: person.genderProbability,
      expression: expression.expression,
      expressionProb: expression.probability,
    };
  });
};

const descriptor = async (library: FaceLibrary, frame: Frame, box: Box): Promise<number[]> => {
  const region = await align(library, frame, regionOf(frame, box));
  return withTensor(library, { frame, region, scale: scaleTo(FACE_SIDE, region) }, async (tensor) =>
    Array.from(only(await library.nets.faceRecognitionNet.computeFaceDescriptor(tensor))),
  );
};

/** The region around a face by its landmarks, which the detector's boxes are too rough for. */
const align = async (library: FaceLibrary, frame: Frame, region: Region): Promise<Region> =>
  withTensor(library, { frame, region, scale: scaleTo(FACE_SIDE, region) }, async (tensor, scale) => {
    const landmarks = only(await library.nets.faceLandmark68Net.detectLandmarks(tensor));
    const { x, y, width, height } = landmarks.align();
    return clip(frame, {
      left: region.left + x / scale,
      top: region.top + y / scale,
      width: width / scale,
      height: height / scale,
    });
  });

const clip = (frame: Frame, { left, top, width, height }: Region): Region => {
  const [x, y] = [Math.min(frame.width - 1, Math.max(0, left)), Math.min(frame.height - 1, Math.max(0, top))];
  return {
    left: x,
    top: y,
    width: Math.max(1, Math.min(frame.width, left + width) - x),
    height: Math.max(1, Math.min(frame.height, top + height) - y),
  };
};

const scaleTo = (side: number, { width, height }: Region): number => side / Math.max(width, height);

/** The library gives one result for one picture, though its types allow lists. */
const only = <V extends object>(value: V | V[]): V => {
  const one = Array.isArray(value) ? value[0] : value;
  if (one === undefined) throw new Error("a network for faces said nothing");
  return one;
};

interface Cut {
  frame: Frame;
  region: Region;
  /** Pixels of the tensor for one of the frame. */
  scale: number;
}

/** Lends a region of a frame as a tensor. */
const withTensor = async <V>(
  { tf }: FaceLibrary,
  { frame, region, scale }: Cut,
  use: (tensor: FaceApi.TNetInput, scale: number) => Promise<V>,
): Promise<V> => {
  const [width, height] = [region.width, region.height].map((length) => Math.max(1, Math.round(length * scale))) as [
    number,
    number,
  ];
  const tensor = tf.tensor3d(resizeRegion(frame, { region, width, height }), [height, width, 3], "int32");
  try {
    return await use(tensor, scale);
  } finally {
    tensor.dispose();
  }
};
