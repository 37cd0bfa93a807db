import type { Frame } from "../../visual.js";
import { detectObjects, type ObjectSighting } from "../objects/index.js";
import { squareAround } from "./body-square.js";
import type { Pose } from "./pose.js";
import { poseNetwork } from "./pose-network.js";

/** How the people in a frame hold their bodies: of the largest ones, largest first, PERSONS_MAX at most. */
export const estimatePoses = (frame: Frame): Promise<Pose[]> => frame.once(POSES, estimate);

const estimate = async (frame: Frame): Promise<Pose[]> => {
  const poses: Pose[] = [];
  for (const { box, prob } of largestPersons(await detectObjects(frame), frame)) {
    const look = await poseNetwork("thunder");
    poses.push({ keypoints: await look(frame, squareAround(box, frame)), box, prob });
  }
  return poses;
};

/** The persons large enough for a pose, largest first. */
export const largestPersons = (objects: readonly ObjectSighting[], frame: Frame): ObjectSighting[] =>
  objects
    .filter(({ label, box }) => label === "person" && box.height * frame.height >= PERSON_HEIGHT_MIN)
    .sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height)
    .slice(0, PERSONS_MAX);

const POSES = Symbol("poses");

/** Bounds the time that a picture of a crowd takes. */
const PERSONS_MAX = 6;

/** Pixels; in a smaller person the network sees points that are not there. */
const PERSON_HEIGHT_MIN = 48;
