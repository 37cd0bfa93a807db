import type { Box } from "../../visual.js";

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
