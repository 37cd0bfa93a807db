import type { Analyzer, Classification } from "../../analyzer.js";
import { createEncoderAnalyzer } from "../../engines/encoder/classifier.js";
import { SPAM_DETECTION_LABELS } from "./labels.js";

/**
 * The `spam-detection` analyzer of the `accurate` engine. It checks the encoder's files on creation, so create it in
 * the thread that uses it.
 */
export const createAccurateSpamDetection = (folder?: URL): Analyzer<"spam-detection", Classification> =>
  createEncoderAnalyzer(SPAM_DETECTION_LABELS, folder);
