import type { Analyzer, ResultOf, TextDocument, TextualAnalysis } from "./analyzer.js";
import { createDocument } from "./document.js";
import { loadAnalyzer, reasonOf } from "./registry.js";

/** What became of one text: a result or an error for every analysis asked for. */
export interface TextAnalysis {
  results: { [T in TextualAnalysis]?: ResultOf[T] };
  errors: Partial<Record<TextualAnalysis, string>>;
}

/** How long a thread spent on one analysis for a batch of texts. */
export interface AnalysisTiming {
  analysis: TextualAnalysis;
  engine: Analyzer["engine"];
  /** What several analyses share is counted to the one that needs it first. */
  seconds: number;
}

export interface TimedAnalyses {
  entries: TextAnalysis[];
  /** Of the analyses that could be loaded. */
  timings: AnalysisTiming[];
}

/**
 * Analyses texts one after the other on the calling thread; entry `i` belongs to text `i`. An analyzer that cannot be
 * loaded, or that throws on a text, becomes an error in place of the result and nothing else.
 */
export const analyzeInline = async (
  texts: readonly string[],
  analyses: readonly TextualAnalysis[],
): Promise<TextAnalysis[]> => (await analyzeTimed(texts, analyses)).entries;

/** Like `analyzeInline`, and says how long each analysis took. */
export const analyzeTimed = async (
  texts: readonly string[],
  analyses: readonly TextualAnalysis[],
): Promise<TimedAnalyses> => {
  const loads = await Promise.allSettled(analyses.map(loadAnalyzer));
  const timings = loads.map((load) => {
    if (load.status === "rejected") return undefined;
    return { analysis: load.value.type, engine: load.value.engine, seconds: 0 };
  });
  const entries = texts.map((text) => {
    const analysis: TextAnalysis = { results: {}, errors: {} };
    const document = createDocument(text);
    let begunAt = performance.now();
    analyses.forEach((type, i) => {
      const [load, timing] = [loads[i], timings[i]];
      if (load?.status === "fulfilled") run(load.value, document, analysis);
      else analysis.errors[type] = reasonOf(load?.reason);
      const endedAt = performance.now();
      if (timing !== undefined) timing.seconds += (endedAt - begunAt) / 1000;
      begunAt = endedAt;
    });
    return analysis;
  });
  return { entries, timings: timings.filter((timing) => timing !== undefined) };
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
