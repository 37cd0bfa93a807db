import { type Analyzer, type Engine, type ModelRef, TEXTUAL_ANALYSES, type TextualAnalysis } from "../analyzer.js";
import { DEFAULT_ENGINES, type EngineSettings } from "../engine-settings.js";
import { keepLoaded } from "../keep-loaded.js";
import { detectLanguage } from "../text/language/index.js";
import { loadEngine, reasonOf } from "./load-engine.js";

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

/** The analyzers that some settings ask for; each is loaded when it is first needed. */
export interface Analyzers {
  /**
   * The analyzer of an analysis. Rejects with the reason when it cannot be loaded, and tries again at the next call; never
   * gives one of another engine instead.
   */
  load(type: TextualAnalysis): Promise<Analyzer>;
  /** Loads every analyzer, checksums included, and says how each of them is. */
  describe(): Promise<AnalyzerStatus[]>;
}

type Loader<T extends TextualAnalysis> = (settings: EngineSettings) => Promise<Analyzer<T>>;
type Loaders = { readonly [T in TextualAnalysis]: Readonly<Partial<Record<Engine, Loader<T>>>> };

/** Imported on first use only: models, language data and runtimes are large, and most threads need few of them. */
const LOADERS: Loaders = {
  "sentiment-simple": {
    fast: async () => (await import("../analyzers/sentiment-simple/fast.js")).createSentimentSimple(),
    accurate: async () => (await import("../analyzers/sentiment-simple/accurate.js")).createAccurateSentimentSimple(),
    models: async (settings) =>
      (await import("../engines/transformers/text/classifier.js")).createModelClassifier("sentiment-simple", settings),
  },
  "sentiment-real": {
    fast: async () => (await import("../analyzers/sentiment-real/fast.js")).createSentimentReal(),
    accurate: async () => (await import("../analyzers/sentiment-real/accurate.js")).createAccurateSentimentReal(),
    models: async (settings) =>
      (await import("../engines/transformers/text/classifier.js")).createModelClassifier("sentiment-real", settings),
  },
  topic: {
    fast: async () => (await import("../analyzers/topic/fast.js")).createTopic(),
    accurate: async () => (await import("../analyzers/topic/accurate.js")).createAccurateTopic(),
    models: async (settings) => (await import("../analyzers/topic/models.js")).createModelTopic(settings),
  },
  "spam-detection": {
    fast: async () => (await import("../analyzers/spam-detection/fast.js")).createSpamDetection(),
    accurate: async () => (await import("../analyzers/spam-detection/accurate.js")).createAccurateSpamDetection(),
    models: async (settings) =>
      (await import("../engines/transformers/text/classifier.js")).createModelClassifier("spam-detection", settings),
  },
  "personality-mb": {
    fast: async () => (await import("../analyzers/personality-mb/fast.js")).createPersonality(),
  },
  intention: {
    fast: async () => (await import("../analyzers/intention/fast.js")).createIntention(),
    accurate: async () => (await import("../analyzers/intention/accurate.js")).createAccurateIntention(),
    models: async (settings) =>
      (await import("../engines/transformers/text/classifier.js")).createModelClassifier("intention", settings),
  },
};

/** The analyzers of the calling thread. */
export const createAnalyzers = (settings: EngineSettings = {}): Analyzers => {
  const engineOf = (type: TextualAnalysis): Engine => settings.engines?.[type] ?? DEFAULT_ENGINES[type];
  const load = keepLoaded((type: TextualAnalysis) => loadAnalyzer(type, engineOf(type), settings));
  const describe = async (type: TextualAnalysis): Promise<AnalyzerStatus> => {
    try {
      const { engine, model } = await load(type);
      return { type, engine, model, ready: true };
    } catch (error) {
      return { type, engine: engineOf(type), ready: false, error: reasonOf(error) };
    }
  };
  return { load, describe: () => Promise.all(TEXTUAL_ANALYSES.map(describe)) };
};

const loadAnalyzer = (type: TextualAnalysis, engine: Engine, settings: EngineSettings): Promise<Analyzer> => {
  const loader: Loader<TextualAnalysis> | undefined = LOADERS[type][engine];
  const load = async (make: Loader<TextualAnalysis>): Promise<Analyzer> => {
    const analyzer = await make(settings);
    // Every analyzer asks for the language; a model of that which is damaged is better found here than at each text.
    detectLanguage("Read the model now.");
    return analyzer;
  };
  return loadEngine({ type, engine, engines: Object.keys(LOADERS[type]), load: loader && (() => load(loader)) });
};
