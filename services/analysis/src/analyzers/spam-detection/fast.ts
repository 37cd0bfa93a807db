import type { Analyzer, Classification } from "../../types.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";
import { SPAM_DETECTION_LABELS } from "./labels.js";

/** The `spam-detection` analyzer. It loads its model on creation, so create it in the thread that uses it. */
export const createSpamDetection = (): Analyzer<"spam-detection", Classification> =>
  createLinearAnalyzer(SPAM_DETECTION_LABELS);
