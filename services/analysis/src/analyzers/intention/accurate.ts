import type { Analyzer, Classification } from "../../analyzer.js";
import { createEncoderAnalyzer } from "../../engines/encoder/classifier.js";
import { INTENTION_LABELS } from "./labels.js";

/**
 * The `intention` analyzer of the `accurate` engine. It checks the encoder's files on creation, so create it in the
 * thread that uses it.
 */
export const createAccurateIntention = (folder?: URL): Analyzer<"intention", Classification> =>
  createEncoderAnalyzer(INTENTION_LABELS, folder);
