import type { TextAnalysis } from "@hourglass/analysis";

/** The outcome of one text as it is stored; records of older releases lack the optional fields. */
export type TextOutcome = Pick<TextAnalysis, "results" | "errors"> &
  Partial<Pick<TextAnalysis, "models" | "language" | "supported">>;
