import type { Analyzer, Classification } from "../../types.js";
import { createEncoderAnalyzer, type EncoderFolders } from "../../engines/encoder/index.js";
import { SENTIMENT_SIMPLE_LABELS } from "./labels.js";

/**
 * The `sentiment-simple` analyzer of the `accurate` engine. It checks the encoder's files on creation, so create it in
 * the thread that uses it.
 */
export const createAccurateSentimentSimple = (folders?: EncoderFolders): Analyzer<"sentiment-simple", Classification> =>
  createEncoderAnalyzer(SENTIMENT_SIMPLE_LABELS, folders);
