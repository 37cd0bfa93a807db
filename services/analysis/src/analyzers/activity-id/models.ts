import { ACTIVITIES } from "../../vision/activities.js";
import type { Detection, EngineSettings, VisualAnalyzer } from "../../types.js";
import { type Candidates, createZeroShotModel } from "../../engines/hf-vision/zero-shot.js";

/**
 * Every activity of the closed list except those that only movement shows: a model that sees one picture would guess
 * them.
 */
const CANDIDATES: Candidates = {
  sentences: new Map(
    ACTIVITIES.filter(({ by }) => by !== "movement").map(({ label }) => [label, `a photo of a person ${label}`]),
  ),
  otherwise: [
    "a photo of a person",
    "a photo of people",
    "a photo of an animal",
    "a photo of an object",
    "a photo of a place with nobody in it",
    "a photo of food",
    "a drawing",
    "a screenshot with text",
  ],
};

/** Recognizes activities with a model that compares pictures with sentences. Throws ModelError. */
export const createActivityModel = (settings: EngineSettings): Promise<VisualAnalyzer<"activity-id", Detection[]>> =>
  createZeroShotModel("activity-id", settings, CANDIDATES);
