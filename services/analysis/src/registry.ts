import { type Analyzer, type Engine, type ModelRef, TEXTUAL_ANALYSES, type TextualAnalysis } from "./analyzer.js";
import { DEFAULT_ENGINES } from "./engines.js";

/** What is known about the analyzer of one analysis after an attempt to load it. */
export interface AnalyzerStatus {
  type: TextualAnalysis;
  engine: Engine;
  /** Absent when the analyzer could not be loaded. */
  model?: ModelRef;
  ready: boolean;
  /** Why it is not ready. */
  error?: string;
}

type Loaders = { readonly [T in TextualAnalysis]: () => Promise<Analyzer<T>> };

/** One line per analyzer folder. Imported on first use only: models and language data are large, and most threads need none. */
const LOADERS: Loaders = {
  "sentiment-simple": async () => (await import("./analyzers/sentiment-simple/index.js")).createSentimentSimple(),
  "sentiment-real": async () => (await import("./analyzers/sentiment-real/index.js")).createSentimentReal(),
  topic: async () => (await import("./analyzers/topic/index.js")).createTopic(),
  "spam-detection": async () => (await import("./analyzers/spam-detection/index.js")).createSpamDetection(),
  "personality-mb": async () => (await import("./analyzers/personality-mb/index.js")).createPersonality(),
  intention: async () => (await import("./analyzers/intention/index.js")).createIntention(),
};

const loaded = new Map<TextualAnalysis, Promise<Analyzer>>();

/**
 * The analyzer of an analysis, loaded once per thread. Rejects with the reason when its model is missing or damaged, and
 * tries again at the next call.
 */
export const loadAnalyzer = (type: TextualAnalysis): Promise<Analyzer> => {
  const known = loaded.get(type);
  if (known !== undefined) return known;
  const loading: Promise<Analyzer> = LOADERS[type]();
  loaded.set(type, loading);
  loading.catch(() => loaded.delete(type));
  return loading;
};

/** Loads every analyzer on this thread, checksums included, and says how each of them is. */
export const describeAnalyzers = (): Promise<AnalyzerStatus[]> => Promise.all(TEXTUAL_ANALYSES.map(describe));

const describe = async (type: TextualAnalysis): Promise<AnalyzerStatus> => {
  try {
    const { engine, model } = await loadAnalyzer(type);
    return { type, engine, model, ready: true };
  } catch (error) {
    return { type, engine: DEFAULT_ENGINES[type], ready: false, error: reasonOf(error) };
  }
};

/** The message of whatever was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
