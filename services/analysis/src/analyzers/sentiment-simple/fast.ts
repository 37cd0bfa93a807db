import type { Analyzer } from "../../analyzer.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";

/** The `sentiment-simple` analyzer. It loads its model on creation, so create it in the thread that uses it. */
export const createSentimentSimple = (): Analyzer<"sentiment-simple"> => createLinearAnalyzer("sentiment-simple");
