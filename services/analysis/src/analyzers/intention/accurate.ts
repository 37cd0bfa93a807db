import type { Analyzer, Classification } from "../../types.js";
import { createEncoderAnalyzer, type EncoderFolders } from "../../engines/encoder/index.js";
import { INTENTION_LABELS } from "./labels.js";

/**
 * The `intention` analyzer of the `accurate` engine. It checks the encoder's files on creation, so create it in the
 * thread that uses it.
 */
export const createAccurateIntention = (folders?: EncoderFolders): Analyzer<"intention", Classification> =>
  createEncoderAnalyzer(INTENTION_LABELS, folders);
