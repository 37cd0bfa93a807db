import type { Classification } from "../../types.js";
import type { TextualDescriptor } from "../../descriptor.js";
import type { LabelSet } from "../../text/classification.js";

export const SPAM_DETECTION_LABELS: LabelSet<"spam-detection"> = {
  analysis: "spam-detection",
  priors: { spam: 0.1513, ham: 0.8487 },
  aliases: { not_spam: "ham", non_spam: "ham", no_spam: "ham" },
  hypotheses: {
    spam: "This is unwanted advertising or a scam.",
    ham: "This is an ordinary message.",
  },
};

export const spamDetection: TextualDescriptor<"spam-detection", Classification> = {
  type: "spam-detection",
  kind: "textual",
  labels: SPAM_DETECTION_LABELS,
  engines: {
    fast: async () => (await import("../../engines/linear/classifier.js")).createLinearAnalyzer(SPAM_DETECTION_LABELS),
    accurate: async () =>
      (await import("../../engines/encoder/classifier.js")).createEncoderAnalyzer(SPAM_DETECTION_LABELS),
    models: async (settings) =>
      (await import("../../engines/hf-text/classifier.js")).createModelClassifier(SPAM_DETECTION_LABELS, settings),
  },
  defaultEngine: "accurate",
  defaultModel: "onnx-community/bert-tiny-finetuned-sms-spam-detection-ONNX",
};
