import type { Analyzer, Engine, EngineSettings, ModelRef } from "../types.js";
import type { TextualDescriptor } from "../descriptor.js";
import { keepLoaded } from "../models/shipped-models.js";
import { detectLanguage } from "../text/language/detector.js";
import {
  ANALYSES,
  loadEngine,
  reasonOf,
  type Registry,
  type ResultOf,
  type TextualAnalysis,
  withDefaultModels,
} from "./analyses.js";

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

/** An analyzer of the registry. */
export type RegisteredAnalyzer<T extends TextualAnalysis = TextualAnalysis> = Analyzer<T, ResultOf[T]>;

/** The analyzers for some settings; each is loaded on first use. */
export interface Analyzers {
  /**
   * The analyzer of an analysis. Rejects with the reason if it cannot be loaded, and retries at the next call; never
   * falls back to another engine.
   */
  load(type: TextualAnalysis): Promise<RegisteredAnalyzer>;
  /** Loads every analyzer, including checksums, and returns the status of each. */
  describe(): Promise<AnalyzerStatus[]>;
}

/** The analyzers of the calling thread. */
export const createAnalyzers = (given: EngineSettings = {}, registry: Registry = ANALYSES): Analyzers => {
  const { textual } = registry;
  const settings = withDefaultModels(given, registry);
  const engineOf = (type: TextualAnalysis): Engine => settings.engines?.[type] ?? textual[type].defaultEngine;
  const load = keepLoaded((type: TextualAnalysis) => loadAnalyzer(textual[type], engineOf(type), settings));
  const describe = async (type: TextualAnalysis): Promise<AnalyzerStatus> => {
    try {
      const { engine, model } = await load(type);
      return { type, engine, model, ready: true };
    } catch (error) {
      return { type, engine: engineOf(type), ready: false, error: reasonOf(error) };
    }
  };
  return { load, describe: () => Promise.all((Object.keys(textual) as TextualAnalysis[]).map(describe)) };
};

const loadAnalyzer = (
  { type, engines }: TextualDescriptor<TextualAnalysis, ResultOf[TextualAnalysis]>,
  engine: Engine,
  settings: EngineSettings,
): Promise<RegisteredAnalyzer> => {
  const loader = engines[engine];
  const load = async (make: (settings: EngineSettings) => Promise<RegisteredAnalyzer>): Promise<RegisteredAnalyzer> => {
    const analyzer = await make(settings);
    // Every analyzer needs the language; a damaged model for it should be reported here rather than for each text.
    detectLanguage("Read the model now.");
    return analyzer;
  };
  return loadEngine({ type, engine, engines: Object.keys(engines), load: loader && (() => load(loader)) });
};
