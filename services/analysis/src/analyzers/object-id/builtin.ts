import { detectObjects, loadObjectNetwork, OBJECT_MODEL, type ObjectSighting } from "../../vision/objects.js";
import type { Detection, VisualAnalyzer } from "../../types.js";

/** The 80 kinds of objects of COCO, each once with the probability of its likeliest instance. */
export const createObjectId = async (): Promise<VisualAnalyzer<"object-id", Detection[]>> => {
  await loadObjectNetwork();
  return {
    type: "object-id",
    engine: "builtin",
    model: OBJECT_MODEL,
    look: async (frame) => toDetections(await detectObjects(frame)),
  };
};

/** The sightings are sorted by probability, highest first. */
const toDetections = (sightings: readonly ObjectSighting[]): Detection[] => {
  const probs = new Map<string, number>();
  for (const { label, prob } of sightings) if (!probs.has(label)) probs.set(label, prob);
  return Array.from(probs, ([value, prob]) => ({ value, prob: Number(prob.toFixed(4)) }));
};
