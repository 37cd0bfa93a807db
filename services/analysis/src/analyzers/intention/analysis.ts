import type { Classification } from "../../types.js";
import type { TextualDescriptor } from "../../descriptor.js";
import { INTENTION_LABELS } from "./labels.js";

export const intention: TextualDescriptor<"intention", Classification> = {
  type: "intention",
  kind: "textual",
  labels: INTENTION_LABELS,
  engines: {
    fast: async () => (await import("./fast.js")).createIntention(),
    accurate: async () => (await import("./accurate.js")).createAccurateIntention(),
    models: async (settings) =>
      (await import("../../engines/transformers/text/classifier.js")).createModelClassifier(INTENTION_LABELS, settings),
  },
  defaultEngine: "accurate",
  defaultModel: "Xenova/nli-deberta-v3-xsmall",
};
