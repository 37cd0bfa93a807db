import type { Measurements } from "@hourglass/runtime";

/** The time that one analysis took for one batch of texts, or for one file. */
interface TimedAnalysis {
  analysis: string;
  engine: string;
  seconds: number;
}

/** Declares the duration of analyses, and returns the function that records one. */
export const measureAnalyses = (metrics: Measurements): ((timing: TimedAnalysis) => void) => {
  const observe = metrics.duration(
    "hourglass_analysis_duration_seconds",
    "Time a thread spent on one analysis for one batch of at most 32 texts",
    ["analysis", "engine"],
    "work",
  );
  return ({ seconds, analysis, engine }) => observe({ analysis, engine }, seconds);
};
