import type { Analyzer } from "../../analyzer.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";

/** The `sentiment-simple` analyzer; loads its model, so create it where it runs. */
export const createSentimentSimple = (): Analyzer<"sentiment-simple"> => createLinearAnalyzer("sentiment-simple");
