import type { Analyzer } from "../../analyzer.js";
import { createEncoderAnalyzer } from "../../engines/encoder/classifier.js";

/** The `spam-detection` analyzer of the `accurate` engine; checks the encoder's files, so create it where it runs. */
export const createAccurateSpamDetection = (folder?: URL): Analyzer<"spam-detection"> =>
  createEncoderAnalyzer("spam-detection", folder);
