import type { Classification } from "../../types.js";
import type { TextualDescriptor } from "../../descriptor.js";
import { SENTIMENT_REAL_LABELS } from "./labels.js";

export const sentimentReal: TextualDescriptor<"sentiment-real", Classification> = {
  type: "sentiment-real",
  kind: "textual",
  labels: SENTIMENT_REAL_LABELS,
  engines: {
    fast: async () => (await import("./fast.js")).createSentimentReal(),
    accurate: async () => (await import("./accurate.js")).createAccurateSentimentReal(),
    models: async (settings) =>
      (await import("../../engines/transformers/text/classifier.js")).createModelClassifier(
        SENTIMENT_REAL_LABELS,
        settings,
      ),
  },
  defaultEngine: "accurate",
  defaultModel: "SamLowe/roberta-base-go_emotions-onnx",
};
