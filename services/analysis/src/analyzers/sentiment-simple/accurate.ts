import type { Analyzer } from "../../analyzer.js";
import { createEncoderAnalyzer } from "../../engines/encoder/classifier.js";

/** The `sentiment-simple` analyzer of the `accurate` engine; checks the encoder's files, so create it where it runs. */
export const createAccurateSentimentSimple = (folder?: URL): Analyzer<"sentiment-simple"> =>
  createEncoderAnalyzer("sentiment-simple", folder);
