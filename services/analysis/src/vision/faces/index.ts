import type { Box, Frame } from "../../visual.js";
import { detectObjects, viewObjects } from "../objects/index.js";
import { descriptorOf, type FaceTraits, findFaces, findLargeFaces, traitsOf } from "./network.js";
import { hidesLargeFace, type LikelyFace, toLikelyFaces } from "./sightings.js";

export { type Expression, loadFaceNetworks } from "./network.js";

/** A person's face in a frame. */
export interface FaceSighting extends FaceTraits {
  /** Calibrated probability that it is a face, 0 to 1. */
  prob: number;
  box: Box;
  /** 128 numbers that are similar for faces of the same person; computed on first use. */
  descriptor(): Promise<number[]>;
}

/** The face detection model; the version changes whenever results may change. */
export const FACE_MODEL = { id: "face-api-ssd-mobilenetv1", version: "2" } as const;

const SIGHTINGS = Symbol("faces");
const PLACES = Symbol("places of faces");

/**
 * The faces of people in a frame, the likeliest first; those of animals and things are excluded as far as they can be
 * recognised. Computed once per frame; the networks are loaded with the first. Rejects if they cannot be loaded.
 */
export const detectFaces = (frame: Frame): Promise<FaceSighting[]> => frame.once(SIGHTINGS, describe);

/** Like `detectFaces`, but only the positions. */
export const locateFaces = (frame: Frame): Promise<LikelyFace[]> => frame.once(PLACES, locate);

const locate = async (frame: Frame): Promise<LikelyFace[]> => {
  const views = await viewObjects(frame);
  const faces = toLikelyFaces(await findFaces(frame), views);
  if (!hidesLargeFace(await detectObjects(frame), faces)) return faces;
  return toLikelyFaces(await findLargeFaces(frame), views);
};

const describe = async (frame: Frame): Promise<FaceSighting[]> => {
  const sightings: FaceSighting[] = [];
  for (const place of await locateFaces(frame)) sightings.push(await describeOne(frame, place));
  return sightings;
};

const describeOne = async (frame: Frame, { prob, box }: LikelyFace): Promise<FaceSighting> => {
  const traits = await traitsOf(frame, box);
  let descriptor: Promise<number[]> | undefined;
  return { prob, box, ...traits, descriptor: () => (descriptor ??= descriptorOf(frame, box)) };
};
