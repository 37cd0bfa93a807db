import type { EngineSettings } from "../engine-settings.js";
import { keepLoaded } from "../keep-loaded.js";
import { VISUAL, withDefaultModels } from "./analyses.js";
import { loadEngine } from "./load-engine.js";
import type { VisualAnalysis, VisualAnalyzer, VisualEngine } from "../visual.js";

/** The analyzers for some settings; each is loaded on first use. */
export interface VisualAnalyzers {
  /** Rejects with the reason if it cannot be loaded, and retries at the next call. */
  load<T extends VisualAnalysis>(type: T): Promise<VisualAnalyzer<T>>;
}

/** The engine of an analysis. */
export const engineOf = (type: VisualAnalysis, { media }: EngineSettings): VisualEngine =>
  media?.engines?.[type] ?? VISUAL[type].defaultEngine;

/** The analyzers of the calling process. */
export const createVisualAnalyzers = (given: EngineSettings): VisualAnalyzers => {
  const settings = withDefaultModels(given);
  const load = keepLoaded((type: VisualAnalysis): Promise<unknown> => loadAnalyzer(type, settings));
  return {
    // The loader of a type creates analyzers of that type.
    load: <T extends VisualAnalysis>(type: T) => load(type) as Promise<VisualAnalyzer<T>>,
  };
};

const loadAnalyzer = <T extends VisualAnalysis>(type: T, settings: EngineSettings): Promise<VisualAnalyzer<T>> => {
  const engine = engineOf(type, settings);
  const { engines } = VISUAL[type];
  const loader = engines[engine];
  return loadEngine({ type, engine, engines: Object.keys(engines), load: loader && (() => loader(settings)) });
};
