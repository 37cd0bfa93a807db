import type { Analyzer } from "../../analyzer.js";
import { createEncoderAnalyzer } from "../../engines/encoder/classifier.js";

/** The `intention` analyzer of the `accurate` engine; checks the encoder's files, so create it where it runs. */
export const createAccurateIntention = (folder?: URL): Analyzer<"intention"> =>
  createEncoderAnalyzer("intention", folder);
