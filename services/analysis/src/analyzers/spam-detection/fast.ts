import type { Analyzer } from "../../analyzer.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";

/** The `spam-detection` analyzer. It loads its model on creation, so create it in the thread that uses it. */
export const createSpamDetection = (): Analyzer<"spam-detection"> => createLinearAnalyzer("spam-detection");
