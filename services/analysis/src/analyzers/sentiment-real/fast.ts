import type { Analyzer } from "../../analyzer.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";

/** The `sentiment-real` analyzer. It loads its model on creation, so create it in the thread that uses it. */
export const createSentimentReal = (): Analyzer<"sentiment-real"> => createLinearAnalyzer("sentiment-real");
