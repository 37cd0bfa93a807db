import { type ClassifyingAnalysis, PRIORS } from "../../../text/classification.js";

/** The analyses that a Hugging Face model can serve. */
export type ModelAnalysis = ClassifyingAnalysis | "topic";

/** In the interface's order. */
export const MODEL_ANALYSES = ["sentiment-simple", "sentiment-real", "topic", "spam-detection", "intention"] as const;

/** The labels of a classifying analysis. */
export const labelsOf = (type: ClassifyingAnalysis): string[] => Object.keys(PRIORS[type]);
