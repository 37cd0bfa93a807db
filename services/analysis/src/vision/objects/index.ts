import type { Frame } from "../../visual.js";
import { openNetwork, type TwoViews } from "./network.js";
import { type ObjectSighting, toSightings } from "./sightings.js";

/** The object detection model; the version changes whenever results may change. */
export const OBJECT_MODEL = { id: "centernet-mobilenetv3-coco", version: "1" } as const;

const SIGHTINGS = Symbol("objects");
const VIEWS = Symbol("views of objects");

/**
 * The objects in a frame, the likeliest first, without overlapping duplicates. Computed once per frame; the network is
 * loaded with the first. Rejects if it cannot be loaded.
 */
export const detectObjects = (frame: Frame): Promise<ObjectSighting[]> => frame.once(SIGHTINGS, detect);

/**
 * The network's complete output for a frame, including uncertain objects. Computed once per frame, together with
 * `detectObjects`.
 */
export const viewObjects = (frame: Frame): Promise<TwoViews> => frame.once(VIEWS, view);

/** Loads the network; rejects with the reason if that is not possible. */
export const loadObjectNetwork = async (): Promise<void> => {
  await openNetwork();
};

const detect = async (frame: Frame): Promise<ObjectSighting[]> => toSightings(await viewObjects(frame));

const view = async (frame: Frame): Promise<TwoViews> => {
  const find = await openNetwork();
  return find(frame);
};
