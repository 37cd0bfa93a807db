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
  /** The 128 numbers that the same person's faces nearly share; computed when first asked for. */
  descriptor(): Promise<number[]>;
}

/** What finds faces; the version changes whenever results may change. */
export const FACE_MODEL = { id: "face-api-ssd-mobilenetv1", version: "2" } as const;

const SIGHTINGS = Symbol("faces");
const PLACES = Symbol("places of faces");

/**
 * The faces of people in a frame, the likeliest first; those on animals and things are left out as far as they can be told.
 * Computed once for a frame; the networks are loaded with the first. Rejects when they cannot be loaded.
 */
export const detectFaces = (frame: Frame): Promise<FaceSighting[]> => frame.once(SIGHTINGS, describe);

/** As `detectFaces`, but only where they are. */
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
