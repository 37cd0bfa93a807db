import type { ModelRef, ResultOf, TextualAnalysis } from "@hourglass/analysis";

/** What became of one text: a result or an error, a sentence for a person, for every analysis asked for. */
export interface TextOutcome {
  results: { [T in TextualAnalysis]?: ResultOf[T] };
  errors: Partial<Record<TextualAnalysis, string>>;
  /** What made the results. This and what follows is absent in outcomes that an older release has stored. */
  models?: Partial<Record<TextualAnalysis, ModelRef>>;
  /** Of the text: ISO 639-1, or `und` when it is too short or unsure to tell. */
  language?: string;
  /** Whether the model is made for that language. */
  supported?: Partial<Record<TextualAnalysis, boolean>>;
}

/** How long a thread spent on one analysis for a batch of texts. */
export interface AnalysisTiming {
  analysis: TextualAnalysis;
  /** What made the results, such as `accurate`. */
  engine: string;
  seconds: number;
}

export interface AnalyzeOptions {
  /** Whether results are to say what made them so. */
  explain?: boolean;
  /** The company whose texts they are: each gets its share of the threads. */
  owner?: number;
  signal?: AbortSignal;
  onTimed?: (timing: AnalysisTiming) => void;
}

/** Analyses texts without blocking the event loop, and always gives the same outcome for the same text. */
export interface AnalysisPool {
  /** One outcome per text, in order. Rejects when it cannot work at all, or when the signal aborts. */
  analyze(
    texts: readonly string[],
    analyses: readonly TextualAnalysis[],
    options?: AnalyzeOptions,
  ): Promise<TextOutcome[]>;
}
