import type { Analyzer, Engine, ModelRef, TextualAnalysis } from "../analyzer.js";
import type { EngineSettings } from "../engine-settings.js";
import { keepLoaded } from "../keep-loaded.js";
import { detectLanguage } from "../text/language/index.js";
import { TEXTUAL, TEXTUAL_ANALYSES, withDefaultModels } from "./analyses.js";
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
    // Every analyzer asks for the language; a model of that which is damaged is better found here than at each text.
    detectLanguage("Read the model now.");
    return analyzer;
  };
  return loadEngine({ type, engine, engines: Object.keys(engines), load: loader && (() => load(loader)) });
};
