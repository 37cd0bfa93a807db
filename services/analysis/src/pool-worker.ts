import type { TextualAnalysis } from "./analyzer.js";
import { analyzeTimed, type TimedAnalyses } from "./analyze-texts.js";
import { type AnalyzerStatus, describeAnalyzers } from "./registry.js";

/** What the pool hands to a thread. */
export interface Batch {
  texts: readonly string[];
  analyses: readonly TextualAnalysis[];
  explain: boolean;
}

/** Runs in a thread of the pool, called by name. */
export const analyzeBatch = ({ texts, analyses, explain }: Batch): Promise<TimedAnalyses> =>
  analyzeTimed(texts, analyses, { explain });

/** Runs in a thread of the pool, called by name. */
export const describeBatch = (): Promise<AnalyzerStatus[]> => describeAnalyzers();
