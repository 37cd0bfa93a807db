import type { Analyzer } from "../../analyzer.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";

/** The `intention` analyzer. It loads its model on creation, so create it in the thread that uses it. */
export const createIntention = (): Analyzer<"intention"> => createLinearAnalyzer("intention");
