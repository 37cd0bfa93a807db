import type { Analyzer, Classification } from "../../types.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";
import { INTENTION_LABELS } from "./labels.js";

/** The `intention` analyzer. It loads its model on creation, so create it in the thread that uses it. */
export const createIntention = (): Analyzer<"intention", Classification> => createLinearAnalyzer(INTENTION_LABELS);
