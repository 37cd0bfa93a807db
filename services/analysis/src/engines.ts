import type { Engine, TextualAnalysis } from "./analyzer.js";

/** The engine of every analysis for which nothing else is configured. */
export const DEFAULT_ENGINES: Readonly<Record<TextualAnalysis, Engine>> = {
  "sentiment-simple": "fast",
  "sentiment-real": "fast",
  topic: "fast",
  "spam-detection": "fast",
  "personality-mb": "fast",
  intention: "fast",
};
