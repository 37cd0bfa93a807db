import type { Classification } from "../../types.js";
import type { TextualDescriptor } from "../../descriptor.js";
import { SENTIMENT_SIMPLE_LABELS } from "./labels.js";

export const sentimentSimple: TextualDescriptor<"sentiment-simple", Classification> = {
  type: "sentiment-simple",
  kind: "textual",
  labels: SENTIMENT_SIMPLE_LABELS,
  engines: {
    fast: async () => (await import("./fast.js")).createSentimentSimple(),
    accurate: async () => (await import("./accurate.js")).createAccurateSentimentSimple(),
    models: async (settings) =>
      (await import("../../engines/transformers/text/classifier.js")).createModelClassifier(
        SENTIMENT_SIMPLE_LABELS,
        settings,
      ),
  },
  defaultEngine: "accurate",
  defaultModel: "Xenova/twitter-roberta-base-sentiment-latest",
};
