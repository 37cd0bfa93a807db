import type { Analyzer, Classification } from "../../types.js";
import { createEncoderAnalyzer, type EncoderFolders } from "../../engines/encoder/index.js";
import { SENTIMENT_REAL_LABELS } from "./labels.js";

/**
 * The `sentiment-real` analyzer of the `accurate` engine. It checks the encoder's files on creation, so create it in
 * the thread that uses it.
 */
export const createAccurateSentimentReal = (folders?: EncoderFolders): Analyzer<"sentiment-real", Classification> =>
  createEncoderAnalyzer(SENTIMENT_REAL_LABELS, folders);
