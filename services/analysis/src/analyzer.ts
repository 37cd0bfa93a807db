/** The analyses of the interface that read text, in the interface's order. */
export const TEXTUAL_ANALYSES = [
  "sentiment-simple",
  "sentiment-real",
  "topic",
  "spam-detection",
  "personality-mb",
  "intention",
] as const;

/** Wire value of a textual analysis; also the name of its folder under `analyzers/`. */
export type TextualAnalysis = (typeof TEXTUAL_ANALYSES)[number];

/** One label and its calibrated probability (0 to 1, 4 decimals at most). */
export interface Classification {
  value: string;
  prob: number;
}

/** A word or phrase derived from a text, with the tag set of the interface. */
export interface Topic {
  value: string;
  topic_type: "entity" | "noun-chunk";
  sub_type: string | null;
}

/** A four-letter type; `prob1` to `prob4` are the probabilities of its letters, in order. */
export interface Personality {
  value: string;
  prob1: number;
  prob2: number;
  prob3: number;
  prob4: number;
}

/** What each textual analysis yields for one text. */
export interface ResultOf {
  "sentiment-simple": Classification;
  "sentiment-real": Classification;
  topic: Topic[];
  "spam-detection": Classification;
  "personality-mb": Personality;
  intention: Classification;
}

/**
 * An engine for one textual analysis. Pure: the same text always gives the same result, and nothing is read
 * but the text and the model that belongs to the analyzer's folder.
 */
export interface Analyzer<T extends TextualAnalysis = TextualAnalysis> {
  readonly type: T;
  /** `builtin` needs no download. */
  readonly engine: "builtin" | "models";
  /** Identifies model and method together, e.g. `linear-1`; changes whenever results may change. */
  readonly version: string;
  analyze(document: TextDocument): ResultOf[T];
}

/**
 * A text under analysis. What several analyzers need (tokens, hashed n-grams, parts of speech) is computed once, on
 * first use, and kept here.
 */
export interface TextDocument {
  readonly text: string;
  /** Returns the value that `make` computed for this document under `key`, computing it at most once. */
  once<V>(key: symbol, make: (text: string) => V): V;
}
