import type { Region } from "../../decode/image/resize.js";
import type { Box, Frame } from "../../visual.js";
import type { Keypoint } from "./pose.js";

/**
 * The square region that shows the person in the box as in the network's training pictures: complete, with some margin.
 */
export const squareAround = (box: Box, { width, height }: Pick<Frame, "width" | "height">): Region => {
  const size = Math.max(box.width * width, box.height * height, 8) * ROOM;
  return {
    left: (box.left + box.width / 2) * width - size / 2,
    top: (box.top + box.height / 2) * height - size / 2,
    width: size,
    height: size,
  };
};

/** The search region for a person in the next frame; undefined if too little of the body was visible. */
export const boxOfBody = (keypoints: readonly Keypoint[]): Box | undefined => {
  const seen = keypoints.filter(({ score }) => score >= SEEN);
  const torso = seen.filter(({ name }) => /shoulder|hip/.test(name));
  if (seen.length < SEEN_MIN || torso.length < 2) return undefined;
  const [xs, ys] = [seen.map(({ x }) => x), seen.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
};

const ROOM = 1.25;
const SEEN = 0.25;
/** Of 17 points. */
const SEEN_MIN = 6;
