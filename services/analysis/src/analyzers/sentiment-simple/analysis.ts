import type { Classification } from "../../types.js";
import type { TextualDescriptor } from "../../descriptor.js";
import type { LabelSet } from "../../text/classification.js";

export const SENTIMENT_SIMPLE_LABELS: LabelSet<"sentiment-simple"> = {
  analysis: "sentiment-simple",
  // Of the posts only: the reviews of the training data were selected for having an opinion.
  priors: { positive: 0.408, neutral: 0.43, negative: 0.162 },
  aliases: {
    pos: "positive",
    neu: "neutral",
    neg: "negative",
    "1_star": "negative",
    "2_stars": "negative",
    "3_stars": "neutral",
    "4_stars": "positive",
    "5_stars": "positive",
  },
  hypotheses: {
    positive: "The author feels positive about it.",
    neutral: "The author is neutral about it.",
    negative: "The author feels negative about it.",
  },
};

export const sentimentSimple: TextualDescriptor<"sentiment-simple", Classification> = {
  type: "sentiment-simple",
  kind: "textual",
  labels: SENTIMENT_SIMPLE_LABELS,
  engines: {
    fast: async () =>
      (await import("../../engines/linear/classifier.js")).createLinearAnalyzer(SENTIMENT_SIMPLE_LABELS),
    accurate: async () =>
      (await import("../../engines/encoder/classifier.js")).createEncoderAnalyzer(SENTIMENT_SIMPLE_LABELS),
    models: async (settings) =>
      (await import("../../engines/hf-text/classifier.js")).createModelClassifier(SENTIMENT_SIMPLE_LABELS, settings),
  },
  defaultEngine: "accurate",
  defaultModel: "Xenova/twitter-roberta-base-sentiment-latest",
};
