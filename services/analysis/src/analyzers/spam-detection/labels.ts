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
