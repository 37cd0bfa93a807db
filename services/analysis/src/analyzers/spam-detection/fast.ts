import type { Analyzer } from "../../analyzer.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";

/** The `spam-detection` analyzer; loads its model, so create it where it runs. */
export const createSpamDetection = (): Analyzer<"spam-detection"> => createLinearAnalyzer("spam-detection");
