import type { Analyzer } from "../../analyzer.js";
import { createEncoderAnalyzer } from "../../engines/encoder/classifier.js";

/** The `sentiment-real` analyzer of the `accurate` engine; checks the encoder's files, so create it where it runs. */
export const createAccurateSentimentReal = (folder?: URL): Analyzer<"sentiment-real"> =>
  createEncoderAnalyzer("sentiment-real", folder);
