import { distinctDetections } from "../../vision/detections.js";
import { readWords } from "../../vision/words.js";
import type { Detection, LookContext, VisualAnalyzer } from "../../types.js";
import { brandList } from "./brands.js";
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
    model: { id: "logo-id-words", version: "1" },
    look: async (frame, { gallery }: LookContext) => {
      const named = matchBrands(await readWords(frame), brands);
      return distinctDetections([...named, ...(await findMarks(frame, gallery.marks))]);
    },
  };
  return Promise.resolve(analyzer);
};
