import { type KeypointName, KEYPOINTS, type Pose } from "../poses.js";

type Place = readonly [x: number, y: number];

/** A person who stands in the middle of a square picture with hanging arms; head at the top. */
export const STANDING: Readonly<Record<KeypointName, Place>> = {
  nose: [0.5, 0.14],
  "left eye": [0.51, 0.13],
  "right eye": [0.49, 0.13],
  "left ear": [0.53, 0.135],
  "right ear": [0.47, 0.135],
  "left shoulder": [0.57, 0.25],
  "right shoulder": [0.43, 0.25],
  "left elbow": [0.59, 0.38],
  "right elbow": [0.41, 0.38],
  "left wrist": [0.59, 0.5],
  "right wrist": [0.41, 0.5],
  "left hip": [0.55, 0.52],
  "right hip": [0.45, 0.52],
  "left knee": [0.55, 0.72],
  "right knee": [0.45, 0.72],
  "left ankle": [0.55, 0.92],
  "right ankle": [0.45, 0.92],
};

/** The standing person with some points moved, all certain unless hidden. */
export const figure = (
  moved: Partial<Record<KeypointName, Place>> = {},
  hidden: readonly KeypointName[] = [],
): Pose => {
  const places = { ...STANDING, ...moved };
  const [xs, ys] = [KEYPOINTS.map((name) => places[name][0]), KEYPOINTS.map((name) => places[name][1])];
  const [left, top] = [Math.min(...xs) - 0.03, Math.min(...ys) - 0.08];
  return {
    keypoints: KEYPOINTS.map((name) => ({
      name,
      x: places[name][0],
      y: places[name][1],
      score: hidden.includes(name) ? 0.1 : 0.8,
    })),
    box: { left, top, width: Math.max(...xs) + 0.03 - left, height: Math.max(...ys) + 0.04 - top },
    prob: 0.9,
  };
};

/** At the bottom of a squat, seen from the side. */
export const SQUATTING: Partial<Record<KeypointName, Place>> = {
  "left hip": [0.4, 0.72],
  "right hip": [0.4, 0.72],
  "left knee": [0.58, 0.73],
  "right knee": [0.58, 0.73],
  "left shoulder": [0.5, 0.46],
  "right shoulder": [0.5, 0.46],
  nose: [0.54, 0.36],
  "left ankle": [0.47, 0.92],
  "right ankle": [0.47, 0.92],
  "left elbow": [0.6, 0.48],
  "right elbow": [0.6, 0.48],
  "left wrist": [0.7, 0.48],
  "right wrist": [0.7, 0.48],
};
