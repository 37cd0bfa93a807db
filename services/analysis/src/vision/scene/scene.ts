import { detectFaces, type FaceSighting, loadFaceNetworks } from "../faces/index.js";
import { detectObjects, loadObjectNetwork } from "../objects/index.js";
import type { ObjectSighting } from "../objects/sightings.js";
import { estimatePoses } from "../poses/estimate-poses.js";
import { poseNetwork } from "../poses/pose-network.js";
import type { Pose } from "../poses/pose.js";
import type { Frame } from "../../visual.js";

/** The detections of one frame, from which activities and captions are derived. */
export interface Scene {
  /** Width of the frame divided by its height. */
  aspect: number;
  /** Of the frame, in pixels. */
  height: number;
  objects: readonly ObjectSighting[];
  faces: readonly SeenFace[];
  poses: readonly Pose[];
}

/** The reported part of a face. */
export type SeenFace = Omit<FaceSighting, "descriptor">;

/** Bounds the time for crowds; a video shows its people again. */
const POSES_OF_STILL = 6;
const POSES_OF_FILM = 3;

/** Detects objects, faces and poses in a still. */
export const sceneOf = (frame: Frame): Promise<Scene> => look(frame, POSES_OF_STILL);

/** Detects objects, faces and poses in a frame of a video. */
export const sceneOfFilm = (frame: Frame): Promise<Scene> => look(frame, POSES_OF_FILM);

const look = async (frame: Frame, poses: number): Promise<Scene> => ({
  aspect: frame.width / frame.height,
  height: frame.height,
  objects: await detectObjects(frame),
  faces: (await detectFaces(frame)).map(plain),
  poses: await estimatePoses(frame, poses),
});

/** Omits the descriptor, which would keep the frame in memory. */
const plain = ({ prob, box, age, gender, genderProb, expression, expressionProb }: FaceSighting): SeenFace => ({
  prob,
  box,
  age,
  gender,
  genderProb,
  expression,
  expressionProb,
});

/** Loads its networks; rejects with the reason if that is not possible. */
export const loadScene = async (): Promise<void> => {
  await loadObjectNetwork();
  await loadFaceNetworks();
  await poseNetwork("thunder");
};
