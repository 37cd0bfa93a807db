import { detectFaces, type FaceSighting, loadFaceNetworks } from "../faces/index.js";
import { detectObjects, loadObjectNetwork, type ObjectSighting } from "../objects/index.js";
import { estimatePoses, poseNetwork, type Pose } from "../poses/index.js";
import type { Frame } from "../../visual.js";

/** What was seen in one frame, from which activities and captions follow. */
export interface Scene {
  /** Width of the frame by its height. */
  aspect: number;
  /** Of the frame, in pixels. */
  height: number;
  objects: readonly ObjectSighting[];
  faces: readonly SeenFace[];
  poses: readonly Pose[];
}

/** What is told of a face. */
export type SeenFace = Omit<FaceSighting, "descriptor">;

/** Bound the time that a crowd takes; a video shows its people again. */
const POSES_OF_STILL = 6;
const POSES_OF_FILM = 3;

/** Looks for objects, faces and poses in a still. */
export const sceneOf = (frame: Frame): Promise<Scene> => look(frame, POSES_OF_STILL);

/** Looks for objects, faces and poses in a frame of a video. */
export const sceneOfFilm = (frame: Frame): Promise<Scene> => look(frame, POSES_OF_FILM);

const look = async (frame: Frame, poses: number): Promise<Scene> => ({
  aspect: frame.width / frame.height,
  height: frame.height,
  objects: await detectObjects(frame),
  faces: (await detectFaces(frame)).map(plain),
  poses: await estimatePoses(frame, poses),
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
