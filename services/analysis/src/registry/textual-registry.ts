import type { Analyzer, Engine, ModelRef, TextualAnalysis } from "../analyzer.js";
import type { EngineSettings } from "../engine-settings.js";
import { keepLoaded } from "../keep-loaded.js";
import { detectLanguage } from "../text/language/index.js";
import { TEXTUAL, TEXTUAL_ANALYSES, withDefaultModels } from "./analyses.js";
import { loadEngine, reasonOf } from "./load-engine.js";

/** The status of an analysis's analyzer after an attempt to load it. */
export interface AnalyzerStatus {
  type: TextualAnalysis;
  engine: Engine;
  /** Absent if the analyzer could not be loaded. */
  model?: ModelRef;
  ready: boolean;
  /** The reason why it is not ready. */
  error?: string;
}

/** The analyzers for some settings; each is loaded on first use. */
export interface Analyzers {
  /**
   * The analyzer of an analysis. Rejects with the reason if it cannot be loaded, and retries at the next call; never
   * falls back to another engine.
   */
  load(type: TextualAnalysis): Promise<Analyzer>;
  /** Loads every analyzer, including checksums, and returns the status of each. */
  describe(): Promise<AnalyzerStatus[]>;
}

/** The analyzers of the calling thread. */
export const createAnalyzers = (given: EngineSettings = {}): Analyzers => {
  const settings = withDefaultModels(given);
  const engineOf = (type: TextualAnalysis): Engine => settings.engines?.[type] ?? TEXTUAL[type].defaultEngine;
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
  const { engines } = TEXTUAL[type];
  const loader = engines[engine];
  const load = async (make: (settings: EngineSettings) => Promise<Analyzer>): Promise<Analyzer> => {
    const analyzer = await make(settings);
    // Every analyzer needs the language; a damaged model for it should be reported here rather than for each text.
    detectLanguage("Read the model now.");
    return analyzer;
  };
  return loadEngine({ type, engine, engines: Object.keys(engines), load: loader && (() => load(loader)) });
};
