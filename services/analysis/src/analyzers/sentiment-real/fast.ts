import type { Analyzer } from "../../analyzer.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";

/** The `sentiment-real` analyzer; loads its model, so create it where it runs. */
export const createSentimentReal = (): Analyzer<"sentiment-real"> => createLinearAnalyzer("sentiment-real");
