import type { Analyzer, Classification } from "../../types.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";
import { SENTIMENT_REAL_LABELS } from "./labels.js";

/** The `sentiment-real` analyzer. It loads its model on creation, so create it in the thread that uses it. */
export const createSentimentReal = (): Analyzer<"sentiment-real", Classification> =>
  createLinearAnalyzer(SENTIMENT_REAL_LABELS);
