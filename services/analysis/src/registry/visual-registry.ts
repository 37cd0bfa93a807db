import type { EngineSettings } from "../engine-settings.js";
import { keepLoaded } from "../keep-loaded.js";
import { loadEngine } from "./load-engine.js";
import type { VisualAnalysis, VisualAnalyzer, VisualEngine } from "../visual.js";

type Loader<T extends VisualAnalysis> = (settings: EngineSettings) => Promise<VisualAnalyzer<T>>;
type Loaders = { readonly [T in VisualAnalysis]: Readonly<Partial<Record<VisualEngine, Loader<T>>>> };

/** Imported on first use only: models and runtimes are large, and no file needs all of them. */
const LOADERS: Loaders = {
  "face-id": {
    builtin: async () => (await import("../analyzers/face-id/builtin.js")).createFaceId(),
  },
  "object-id": {
    builtin: async () => (await import("../analyzers/object-id/builtin.js")).createObjectId(),
    models: async (settings) => (await import("../analyzers/object-id/models.js")).createObjectModel(settings),
  },
  "activity-id": {
    builtin: async () => (await import("../analyzers/activity-id/builtin.js")).createActivityId(),
    models: async (settings) => (await import("../analyzers/activity-id/models.js")).createActivityModel(settings),
  },
  "logo-id": {
    builtin: async () => (await import("../analyzers/logo-id/builtin.js")).createLogoId(),
    models: async (settings) => (await import("../analyzers/logo-id/models.js")).createLogoModel(settings),
  },
  caption: {
    builtin: async () => (await import("../analyzers/caption/builtin.js")).createCaption(),
    models: async (settings) => (await import("../analyzers/caption/models.js")).createCaptionModel(settings),
  },
};

/** The analyzers that some settings ask for; each is loaded when it is first needed. */
export interface VisualAnalyzers {
  /** Rejects with the reason when it cannot be loaded, and tries again at the next call. */
  load<T extends VisualAnalysis>(type: T): Promise<VisualAnalyzer<T>>;
}

/** What makes the results of an analysis. */
export const engineOf = (type: VisualAnalysis, { media }: EngineSettings): VisualEngine =>
  media?.engines?.[type] ?? "builtin";

/** The analyzers of the calling process. */
export const createVisualAnalyzers = (settings: EngineSettings): VisualAnalyzers => {
  const load = keepLoaded((type: VisualAnalysis): Promise<unknown> => loadAnalyzer(type, settings));
  return {
    // The loader of a type makes analyzers of that type.
    load: <T extends VisualAnalysis>(type: T) => load(type) as Promise<VisualAnalyzer<T>>,
  };
};

const loadAnalyzer = <T extends VisualAnalysis>(type: T, settings: EngineSettings): Promise<VisualAnalyzer<T>> => {
  const engine = engineOf(type, settings);
  const loader: Loader<T> | undefined = LOADERS[type][engine];
  return loadEngine({ type, engine, engines: Object.keys(LOADERS[type]), load: loader && (() => loader(settings)) });
};
