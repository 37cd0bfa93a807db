import type { Frame } from "../../visual.js";
import { detectObjects } from "../objects/index.js";
import type { ObjectSighting } from "../objects/sightings.js";
import { squareAround } from "./body-square.js";
import type { Pose } from "./pose.js";
import { poseNetwork } from "./pose-network.js";

/**
 * The poses of the `most` largest people in a frame, largest first. Computed once per frame, with the `most` of the
 * first call.
 */
export const estimatePoses = (frame: Frame, most: number): Promise<Pose[]> =>
  frame.once(POSES, () => estimate(frame, most));

const estimate = async (frame: Frame, most: number): Promise<Pose[]> => {
  const poses: Pose[] = [];
  for (const { box, prob } of largestPersons(await detectObjects(frame), frame).slice(0, most)) {
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
