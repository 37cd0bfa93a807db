import type { Analyzer } from "../../analyzer.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";

/** The `intention` analyzer; loads its model, so create it where it runs. */
export const createIntention = (): Analyzer<"intention"> => createLinearAnalyzer("intention");
