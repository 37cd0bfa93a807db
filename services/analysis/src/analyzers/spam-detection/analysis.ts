import type { TextualDescriptor } from "../../descriptor.js";

export const spamDetection: TextualDescriptor<"spam-detection"> = {
  type: "spam-detection",
  kind: "textual",
  engines: {
    fast: async () => (await import("./fast.js")).createSpamDetection(),
    accurate: async () => (await import("./accurate.js")).createAccurateSpamDetection(),
    models: async (settings) =>
      (await import("../../engines/transformers/text/classifier.js")).createModelClassifier("spam-detection", settings),
  },
  defaultEngine: "accurate",
  defaultModel: "onnx-community/bert-tiny-finetuned-sms-spam-detection-ONNX",
};
