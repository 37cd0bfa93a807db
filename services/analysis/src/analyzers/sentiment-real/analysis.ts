import type { TextualDescriptor } from "../../descriptor.js";

export const sentimentReal: TextualDescriptor<"sentiment-real"> = {
  type: "sentiment-real",
  kind: "textual",
  engines: {
    fast: async () => (await import("./fast.js")).createSentimentReal(),
    accurate: async () => (await import("./accurate.js")).createAccurateSentimentReal(),
    models: async (settings) =>
      (await import("../../engines/transformers/text/classifier.js")).createModelClassifier("sentiment-real", settings),
  },
  defaultEngine: "accurate",
  defaultModel: "SamLowe/roberta-base-go_emotions-onnx",
};
