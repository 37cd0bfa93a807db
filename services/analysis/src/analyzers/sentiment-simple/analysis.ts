import type { TextualDescriptor } from "../../descriptor.js";

export const sentimentSimple: TextualDescriptor<"sentiment-simple"> = {
  type: "sentiment-simple",
  kind: "textual",
  engines: {
    fast: async () => (await import("./fast.js")).createSentimentSimple(),
    accurate: async () => (await import("./accurate.js")).createAccurateSentimentSimple(),
    models: async (settings) =>
      (await import("../../engines/transformers/text/classifier.js")).createModelClassifier(
        "sentiment-simple",
        settings,
      ),
  },
  defaultEngine: "accurate",
  defaultModel: "Xenova/twitter-roberta-base-sentiment-latest",
};
