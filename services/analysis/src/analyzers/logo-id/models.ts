import { wellKnownBrands } from "./brands.js";
import type { Detection, EngineSettings, VisualAnalyzer } from "../../types.js";
import { type Candidates, createZeroShotModel } from "../../engines/hf-vision/zero-shot.js";

/**
 * The well-known brands of the engine `builtin`: a model trained on captions from the web may know their marks. The
 * thousands of others that the engine reads would each take a share of the probability; hourglass.json may name further
 * ones.
 */
const candidates = (): Candidates => ({
  sentences: new Map(wellKnownBrands().map((brand) => [brand, `a photo with the ${brand} logo`])),
  otherwise: [
    "a photo without any logo",
    "a photo with an unknown logo",
    "a photo of a person",
    "a photo of people",
    "a photo of an animal",
    "a photo of an object",
    "a photo of a place",
    "a photo of food",
    "a photo with text",
  ],
});

/** Recognizes brands with a model that compares pictures with sentences. Throws ModelError. */
export const createLogoModel = (settings: EngineSettings): Promise<VisualAnalyzer<"logo-id", Detection[]>> =>
  createZeroShotModel("logo-id", settings, candidates());
