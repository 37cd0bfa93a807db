import type { Analyzer, Classification } from "../../types.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";
import { SENTIMENT_SIMPLE_LABELS } from "./labels.js";

/** The `sentiment-simple` analyzer. It loads its model on creation, so create it in the thread that uses it. */
export const createSentimentSimple = (): Analyzer<"sentiment-simple", Classification> =>
  createLinearAnalyzer(SENTIMENT_SIMPLE_LABELS);
