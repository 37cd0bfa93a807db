import type { Box, Frame } from "../../visual.js";
import { detectObjects } from "../objects/index.js";
import { type FaceNetworks, type FaceTraits, openFaceNetworks } from "./network.js";
import { type LikelyFace, toLikelyFaces } from "./sightings.js";

export type { Expression } from "./network.js";

/** A person's face in a frame. */
export interface FaceSighting extends FaceTraits {
  /** Calibrated probability that it is a face, 0 to 1. */
  prob: number;
  box: Box;
  /** The 128 numbers that the same person's faces nearly share; computed when first asked for. */
  descriptor(): Promise<number[]>;
}

/** What finds faces; the version changes whenever results may change. */
export const FACE_MODEL = { id: "face-api-ssd-mobilenetv1", version: "1" } as const;

const SIGHTINGS = Symbol("faces");
const PLACES = Symbol("places of faces");

/**
 * The faces of people in a frame, the likeliest first; those on animals and things are left out as far as they can be told.
 * Computed once for a frame; the networks are loaded with the first. Rejects when they cannot be loaded.
 */
export const detectFaces = (frame: Frame): Promise<FaceSighting[]> => frame.once(SIGHTINGS, describe);

/** As `detectFaces`, but only where they are, which takes half the time. */
export const locateFaces = (frame: Frame): Promise<LikelyFace[]> => frame.once(PLACES, locate);

/** Loads the networks, or says by rejecting why that is not possible. */
export const loadFaceNetworks = async (): Promise<void> => {
  await openFaceNetworks();
};

/** The descriptor of a face. */
export const describeFaceAt = async (frame: Frame, box: Box): Promise<number[]> =>
  (await openFaceNetworks()).descriptor(frame, box);

const locate = async (frame: Frame): Promise<LikelyFace[]> => {
  const networks = await openFaceNetworks();
  const objects = await detectObjects(frame);
  return toLikelyFaces(await networks.locate(frame), objects, frame);
};

const describe = async (frame: Frame): Promise<FaceSighting[]> => {
  const networks = await openFaceNetworks();
  const sightings: FaceSighting[] = [];
  for (const place of await locateFaces(frame)) sightings.push(await describeOne(networks, frame, place));
  return sightings;
};

const describeOne = async (networks: FaceNetworks, frame: Frame, { prob, box }: LikelyFace): Promise<FaceSighting> => {
  let descriptor: Promise<number[]> | undefined;
  return {
    prob,
    box,
    ...(await networks.traits(frame, box)),
    descriptor: () => (descriptor ??= networks.descriptor(frame, box)),
  };
};
