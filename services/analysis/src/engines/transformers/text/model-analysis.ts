import { type ClassifyingAnalysis, PRIORS } from "../../../text/classification.js";

/** The analyses that a Hugging Face model can perform. */
export type ModelAnalysis = ClassifyingAnalysis | "topic";

/** The labels of a classifying analysis. */
export const labelsOf = (type: ClassifyingAnalysis): string[] => Object.keys(PRIORS[type]);
