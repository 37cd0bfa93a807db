import type { Classification } from "../../types.js";
import type { TextualDescriptor } from "../../descriptor.js";
import type { LabelSet } from "../../text/classification.js";

export const INTENTION_LABELS: LabelSet<"intention"> = {
  analysis: "intention",
  priors: {
    assertion: 0.1571,
    valuation: 0.1568,
    palinode: 0.0045,
    contrition: 0.0531,
    forecast: 0.1503,
    wish: 0.1281,
    proposal: 0.1515,
    inducement: 0.0743,
    none: 0.1244,
  },
  aliases: {},
  hypotheses: {
    assertion: "The author states a fact.",
    valuation: "The author gives an opinion or judges something.",
    palinode: "The author takes back something that he or she said before.",
    contrition: "The author apologises.",
    forecast: "The author predicts what will happen.",
    wish: "The author wishes for something.",
    proposal: "The author suggests something.",
    inducement: "The author urges somebody to do something.",
    none: "The author asks a question.",
  },
};

export const intention: TextualDescriptor<"intention", Classification> = {
  type: "intention",
  kind: "textual",
  labels: INTENTION_LABELS,
  engines: {
    fast: async () => (await import("../../engines/linear/classifier.js")).createLinearAnalyzer(INTENTION_LABELS),
    accurate: async () => (await import("../../engines/encoder/classifier.js")).createEncoderAnalyzer(INTENTION_LABELS),
    models: async (settings) =>
      (await import("../../engines/hf-text/classifier.js")).createModelClassifier(INTENTION_LABELS, settings),
  },
  defaultEngine: "accurate",
  defaultModel: "Xenova/nli-deberta-v3-xsmall",
};
