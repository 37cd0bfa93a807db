import type { Box, Frame } from "../../visual.js";
import { boxOfBody, squareAround } from "./body-square.js";
import { poseNetwork } from "./pose-network.js";
import type { Pose } from "./pose.js";

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
