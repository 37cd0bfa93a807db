import type { Analyzer, ResultOf, TextDocument, TextualAnalysis } from "./analyzer.js";
import { createDocument } from "./document.js";
import { loadAnalyzer, reasonOf } from "./registry.js";

/** What became of one text: a result or an error for every analysis asked for. */
export interface TextAnalysis {
  results: { [T in TextualAnalysis]?: ResultOf[T] };
  errors: Partial<Record<TextualAnalysis, string>>;
}

/**
 * Analyses texts one after the other on the calling thread; entry `i` belongs to text `i`. An analyzer that cannot be
 * loaded, or that throws on a text, becomes an error in place of the result and nothing else.
 */
export const analyzeInline = async (
  texts: readonly string[],
  analyses: readonly TextualAnalysis[],
): Promise<TextAnalysis[]> => {
  const loads = await Promise.allSettled(analyses.map(loadAnalyzer));
  return texts.map((text) => {
    const analysis: TextAnalysis = { results: {}, errors: {} };
    const document = createDocument(text);
    analyses.forEach((type, i) => {
      const load = loads[i];
      if (load?.status === "fulfilled") run(load.value, document, analysis);
      else analysis.errors[type] = reasonOf(load?.reason);
    });
    return analysis;
  });
};

const run = <T extends TextualAnalysis>(
  analyzer: Analyzer<T>,
  document: TextDocument,
  { results, errors }: TextAnalysis,
): void => {
  try {
    results[analyzer.type] = analyzer.analyze(document);
  } catch (error) {
    errors[analyzer.type] = reasonOf(error);
  }
};
