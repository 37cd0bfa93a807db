import type { Classification } from "../../types.js";
import type { TextualDescriptor } from "../../descriptor.js";
import { SPAM_DETECTION_LABELS } from "./labels.js";

export const spamDetection: TextualDescriptor<"spam-detection", Classification> = {
  type: "spam-detection",
  kind: "textual",
  labels: SPAM_DETECTION_LABELS,
  engines: {
    fast: async () => (await import("./fast.js")).createSpamDetection(),
    accurate: async () => (await import("./accurate.js")).createAccurateSpamDetection(),
    models: async (settings) =>
      (await import("../../engines/transformers/text/classifier.js")).createModelClassifier(
        SPAM_DETECTION_LABELS,
        settings,
      ),
  },
  defaultEngine: "accurate",
  defaultModel: "onnx-community/bert-tiny-finetuned-sms-spam-detection-ONNX",
};
