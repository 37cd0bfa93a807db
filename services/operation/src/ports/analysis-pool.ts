import type { ResultOf, TextualAnalysis } from "@hourglass/analysis";

/** What became of one text: a result or an error, a sentence for a person, for every analysis asked for. */
export interface TextOutcome {
  results: { [T in TextualAnalysis]?: ResultOf[T] };
  errors: Partial<Record<TextualAnalysis, string>>;
}

/** How long a thread spent on one analysis for a batch of texts. */
export interface AnalysisTiming {
  analysis: TextualAnalysis;
  /** What made the results, such as `builtin`. */
  engine: string;
  seconds: number;
}

/** Analyses texts without blocking the event loop, and always gives the same outcome for the same text. */
export interface AnalysisPool {
  /** One outcome per text, in order. Rejects when it cannot work at all, or when the signal aborts. */
  analyze(
    texts: readonly string[],
    analyses: readonly TextualAnalysis[],
    options?: { signal?: AbortSignal; onTimed?: (timing: AnalysisTiming) => void },
  ): Promise<TextOutcome[]>;
}
