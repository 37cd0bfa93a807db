import type { EngineSettings, VisualAnalyzer, VisualEngine } from "../types.js";
import { keepLoaded } from "../models/shipped-models.js";
import {
  ANALYSES,
  loadEngine,
  VISUAL,
  type VisualAnalysis,
  type VisualResultOf,
  withDefaultModels,
} from "./analyses.js";

/** An analyzer of the registry. */
export type RegisteredAnalyzer<T extends VisualAnalysis = VisualAnalysis> = VisualAnalyzer<T, VisualResultOf[T]>;

/** The analyzers for some settings; each is loaded on first use. */
export interface VisualAnalyzers {
  /** Rejects with the reason if it cannot be loaded, and retries at the next call. */
  load<T extends VisualAnalysis>(type: T): Promise<RegisteredAnalyzer<T>>;
}

/** The engine of an analysis. */
export const engineOf = (type: VisualAnalysis, { media }: EngineSettings): VisualEngine =>
  media?.engines?.[type] ?? VISUAL[type].defaultEngine;

/** The analyzers of the calling process. */
export const createVisualAnalyzers = (given: EngineSettings): VisualAnalyzers => {
  const settings = withDefaultModels(given, ANALYSES);
  const load = keepLoaded((type: VisualAnalysis): Promise<unknown> => loadAnalyzer(type, settings));
  return {
    // The loader of a type creates analyzers of that type.
    load: <T extends VisualAnalysis>(type: T) => load(type) as Promise<RegisteredAnalyzer<T>>,
  };
};

const loadAnalyzer = <T extends VisualAnalysis>(type: T, settings: EngineSettings): Promise<RegisteredAnalyzer<T>> => {
  const engine = engineOf(type, settings);
  const { engines } = VISUAL[type];
  const loader = engines[engine];
  return loadEngine({ type, engine, engines: Object.keys(engines), load: loader && (() => loader(settings)) });
};
