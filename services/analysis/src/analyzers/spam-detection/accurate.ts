import type { Analyzer } from "../../analyzer.js";
import { createEncoderAnalyzer } from "../../engines/encoder/classifier.js";

/**
 * The `spam-detection` analyzer of the `accurate` engine. It checks the encoder's files on creation, so create it in
 * the thread that uses it.
 */
export const createAccurateSpamDetection = (folder?: URL): Analyzer<"spam-detection"> =>
  createEncoderAnalyzer("spam-detection", folder);
