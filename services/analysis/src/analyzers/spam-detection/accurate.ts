import type { Analyzer, Classification } from "../../types.js";
import { createEncoderAnalyzer, type EncoderFolders } from "../../engines/encoder/index.js";
import { SPAM_DETECTION_LABELS } from "./labels.js";

/**
 * The `spam-detection` analyzer of the `accurate` engine. It checks the encoder's files on creation, so create it in
 * the thread that uses it.
 */
export const createAccurateSpamDetection = (folders?: EncoderFolders): Analyzer<"spam-detection", Classification> =>
  createEncoderAnalyzer(SPAM_DETECTION_LABELS, folders);
