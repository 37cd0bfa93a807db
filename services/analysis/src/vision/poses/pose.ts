import type { Box } from "../../visual.js";

/** The points of a body that a pose has, in its order. Left and right are the person's. */
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

/** Where a point of the body is; `x` and `y` from 0 to 1 of the frame, a little outside where the frame cuts it off. */
export interface Keypoint {
  name: KeypointName;
  x: number;
  y: number;
  /** How sure the network is of the place, 0 to 1; below some .3 it is a guess. Not calibrated. */
  score: number;
}

/** How a person holds the body. */
export interface Pose {
  /** All of KEYPOINTS, in their order. */
  keypoints: readonly Keypoint[];
  /** The person, as the object detector saw it. */
  box: Box;
  /** How probable it is that this is a person, 0 to 1. */
  prob: number;
}
