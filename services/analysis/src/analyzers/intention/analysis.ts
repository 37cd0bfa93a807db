import type { TextualDescriptor } from "../../descriptor.js";

export const intention: TextualDescriptor<"intention"> = {
  type: "intention",
  kind: "textual",
  engines: {
    fast: async () => (await import("./fast.js")).createIntention(),
    accurate: async () => (await import("./accurate.js")).createAccurateIntention(),
    models: async (settings) =>
      (await import("../../engines/transformers/text/classifier.js")).createModelClassifier("intention", settings),
  },
  defaultEngine: "accurate",
  defaultModel: "Xenova/nli-deberta-v3-xsmall",
};
