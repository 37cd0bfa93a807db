import type { Analyzer, Classification } from "../../analyzer.js";
import { createEncoderAnalyzer } from "../../engines/encoder/classifier.js";
import { SENTIMENT_SIMPLE_LABELS } from "./labels.js";

/**
 * The `sentiment-simple` analyzer of the `accurate` engine. It checks the encoder's files on creation, so create it in
 * the thread that uses it.
 */
export const createAccurateSentimentSimple = (folder?: URL): Analyzer<"sentiment-simple", Classification> =>
  createEncoderAnalyzer(SENTIMENT_SIMPLE_LABELS, folder);
