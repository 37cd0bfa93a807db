import { detectFaces, type FaceSighting, loadFaceNetworks } from "../../vision/faces/index.js";
import { detectObjects, loadObjectNetwork, type ObjectSighting } from "../../vision/objects/index.js";
import { estimatePoses, poseNetwork, type Pose } from "../../vision/poses/index.js";
import type { Frame } from "../../visual.js";

/** What was seen in one frame, from which activities and captions follow. */
export interface Scene {
  /** Width of the frame by its height. */
  aspect: number;
  objects: readonly ObjectSighting[];
  faces: readonly SeenFace[];
  poses: readonly Pose[];
}

/** What is told of a face. */
export type SeenFace = Omit<FaceSighting, "descriptor">;

/** Looks for objects, faces and poses in the frame. */
export const sceneOf = async (frame: Frame): Promise<Scene> => ({
  aspect: frame.width / frame.height,
  objects: await detectObjects(frame),
  faces: (await detectFaces(frame)).map(plain),
  poses: await estimatePoses(frame),
});

/** Without its descriptor, which would keep the frame. */
const plain = ({ prob, box, age, gender, genderProb, expression, expressionProb }: FaceSighting): SeenFace => ({
  prob,
  box,
  age,
  gender,
  genderProb,
  expression,
  expressionProb,
});

/** Loads the networks for it, or says by rejecting why that is not possible. */
export const loadScene = async (): Promise<void> => {
  await loadObjectNetwork();
  await loadFaceNetworks();
  await poseNetwork("thunder");
};
