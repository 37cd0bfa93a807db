/** How a result is made: `fast` by linear models and rules, `accurate` by the encoder, `models` by a Hugging Face model. */
export type Engine = "fast" | "accurate" | "models";

/**
 * What made a result, for example `{ id: "intention-linear", version: "1" }`. The version changes whenever results may
 * change.
 */
export interface ModelRef {
  id: string;
  version: string;
}

/** A piece of a text that speaks for the label (`weight` up to 1) or against it (down to -1). */
export interface ExplainedSpan {
  /** Code points before the span. */
  start: number;
  /** Code points up to the end of the span. */
  end: number;
  text: string;
  weight: number;
}

/** Why a text got its label. */
export interface Explanation {
  /** Of all labels; they sum to 1, and each is a probability like `prob`. */
  probabilities: Record<string, number>;
  /** At most 10, the strongest first. */
  spans: ExplainedSpan[];
}

/** One label and its calibrated probability (0 to 1, 4 decimals at most). */
export interface Classification {
  value: string;
  prob: number;
  /** Only if requested. */
  explanation?: Explanation;
}

/** A range of a text in code points; `end` is exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/** A word or phrase derived from a text, with the tag set of the interface. */
export interface Topic {
  value: string;
  topic_type: "entity" | "noun-chunk";
  sub_type: string | null;
  /** Every occurrence, in order; only if requested. */
  offsets?: TextRange[];
}

/** A four-letter type; `prob1` to `prob4` are the probabilities of its letters, in order. */
export interface Personality {
  value: string;
  prob1: number;
  prob2: number;
  prob3: number;
  prob4: number;
}

/** Options that a caller may set for an analysis. */
export interface AnalyzeOptions {
  /** Whether results name the parts of the text that they rest on. */
  explain: boolean;
}

/**
 * An engine for one textual analysis, with its result for one text. Pure: the same text always gives the same result,
 * and the engine reads only the text and the model.
 */
export interface Analyzer<T extends string = string, Result = unknown> {
  readonly type: T;
  readonly engine: Engine;
  readonly model: ModelRef;
  /** ISO 639-1 codes of the languages the model is made for. */
  readonly languages: ReadonlySet<string>;
  /**
   * Work that is cheaper for many texts at once; stores its results in the documents. Called before `analyze` with the
   * documents of a batch: at most 32, of similar length. If it rejects, it is called again for each document alone.
   */
  prepare?(documents: readonly TextDocument[], options: AnalyzeOptions): Promise<void>;
  analyze(document: TextDocument, options: AnalyzeOptions): Result;
  /**
   * Whether a text in one of the languages contains anything that the model can use. Without this method every text
   * does.
   */
  hasEvidence?(document: TextDocument): boolean;
  /** The model that makes the result of a text, if it depends on the text. */
  modelOf?(document: TextDocument): ModelRef;
}

/** The language a text is written in. */
export interface DetectedLanguage {
  /** ISO 639-1; `und` if the text is too short or the language is undecided. */
  code: string;
  /** 0 to 1. */
  prob: number;
  /** The likeliest language of a text with `und`, unless the text is only a word or two. */
  likeliest?: string;
}

/**
 * A text under analysis. What several analyzers need (tokens, hashed n-grams, parts of speech) is computed once, on
 * first use, and kept here.
 */
export interface TextDocument {
  readonly text: string;
  /** Found on first use. */
  readonly language: DetectedLanguage;
  /** Returns the value that `make` computed for this document under `key`, computing it at most once. */
  once<V>(key: symbol, make: (text: string) => V): V;
  /** Keeps a value that was computed elsewhere, such as for many documents at once; `once` returns it from then on. */
  set(key: symbol, value: unknown): void;
}
