import { distinctDetections } from "../../vision/detections.js";
import { readWords } from "../../vision/printed-words.js";
import { type Candidates, createZeroShotModel } from "../../engines/hf-vision/zero-shot.js";
import type { Detection, EngineSettings, LookContext, VisualAnalyzer } from "../../types.js";
import { brandList, wellKnownBrands } from "./brands.js";
import { findMarks } from "./find-marks.js";
import { matchBrands } from "./match-brands.js";

/**
 * The `logo-id` analyzer: brands whose names are printed in the picture, and marks of the customer's own gallery that
 * appear in it. It loads its list on creation, so create it in the thread that uses it; the OCR networks are loaded
 * with the first picture.
 */
export const createLogoId = (): Promise<VisualAnalyzer<"logo-id", Detection[]>> => {
  const brands = brandList();
  const analyzer: VisualAnalyzer<"logo-id", Detection[]> = {
    type: "logo-id",
    engine: "builtin",
    model: { id: "logo-id-words", version: "2" },
    look: async (frame, { gallery }: LookContext) => {
      const named = matchBrands(await readWords(frame), brands);
      return distinctDetections([...named, ...(await findMarks(frame, gallery.marks))]);
    },
  };
  return Promise.resolve(analyzer);
};

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
