import type { Analyzer, Classification } from "../../analyzer.js";
import { createEncoderAnalyzer } from "../../engines/encoder/classifier.js";
import { SENTIMENT_REAL_LABELS } from "./labels.js";

/**
 * The `sentiment-real` analyzer of the `accurate` engine. It checks the encoder's files on creation, so create it in
 * the thread that uses it.
 */
export const createAccurateSentimentReal = (folder?: URL): Analyzer<"sentiment-real", Classification> =>
  createEncoderAnalyzer(SENTIMENT_REAL_LABELS, folder);
