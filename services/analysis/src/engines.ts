import type { Engine, TextualAnalysis } from "./analyzer.js";

/** The engine of every analysis for which nothing else is configured. */
export const DEFAULT_ENGINES: Readonly<Record<TextualAnalysis, Engine>> = {
  "sentiment-simple": "accurate",
  "sentiment-real": "accurate",
  topic: "accurate",
  "spam-detection": "accurate",
  "personality-mb": "fast",
  intention: "accurate",
};

/** What analyses are made with. Plain data, since threads get it too. */
export interface EngineSettings {
  /** Of every analysis that is not to have its default. */
  engines?: Readonly<Partial<Record<TextualAnalysis, Engine>>>;
  /** Hugging Face ids for the engine `models`, where its default is not wanted; such as `owner/name` or `owner/name@revision`. */
  models?: Readonly<Partial<Record<TextualAnalysis, string>>>;
  /** Folder with downloaded models. */
  modelsDir?: string;
  /** Forbids downloads. */
  offline?: boolean;
  /** Where models come from. */
  hub?: { endpoint: string; token?: string };
}
