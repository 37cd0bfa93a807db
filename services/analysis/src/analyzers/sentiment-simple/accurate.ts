import type { Analyzer } from "../../analyzer.js";
import { createEncoderAnalyzer } from "../../engines/encoder/classifier.js";

/**
 * The `sentiment-simple` analyzer of the `accurate` engine. It checks the encoder's files on creation, so create it in
 * the thread that uses it.
 */
export const createAccurateSentimentSimple = (folder?: URL): Analyzer<"sentiment-simple"> =>
  createEncoderAnalyzer("sentiment-simple", folder);
