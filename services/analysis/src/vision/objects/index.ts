import type { Frame } from "../../visual.js";
import { openNetwork } from "./network.js";
import { type ObjectSighting, toSightings } from "./sightings.js";

export { ANIMAL_LABELS, OBJECT_LABELS, type ObjectLabel } from "./labels.js";
export type { ObjectSighting } from "./sightings.js";

/** What finds objects; the version changes whenever results may change. */
export const OBJECT_MODEL = { id: "centernet-mobilenetv3-coco", version: "1" } as const;

const SIGHTINGS = Symbol("objects");

/**
 * The objects in a frame, the likeliest first, each of those that overlap once. Computed once for a frame; the network is
 * loaded with the first. Rejects when it cannot be loaded.
 */
export const detectObjects = (frame: Frame): Promise<ObjectSighting[]> => frame.once(SIGHTINGS, detect);

/** Loads the network, or says by rejecting why that is not possible. */
export const loadObjectNetwork = async (): Promise<void> => {
  await openNetwork();
};

const detect = async (frame: Frame): Promise<ObjectSighting[]> => {
  const find = await openNetwork();
  return toSightings(await find(frame));
};
