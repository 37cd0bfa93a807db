import type { Analyzer, Engine, TextualAnalysis } from "./analyzer.js";
import type { EngineSettings } from "./engine-settings.js";
import type { VisualAnalysis, VisualAnalyzer, VisualEngine } from "./visual.js";

/**
 * Loads an analyzer. It imports the engine's code on first use: models and runtimes are large, and no process needs all
 * of them.
 */
type Loader<A> = (settings: EngineSettings) => Promise<A>;

interface Described<T extends string, E extends string, A> {
  /** Wire value of the analysis, and the name of its folder. */
  readonly type: T;
  readonly engines: Readonly<Partial<Record<E, Loader<A>>>>;
  readonly defaultEngine: E;
  /** Hugging Face id of the model that the engine `models` uses if none is configured. */
  readonly defaultModel?: string;
}

/** Everything that the rest of the system needs to know about a textual analysis. */
export interface TextualDescriptor<T extends TextualAnalysis = TextualAnalysis> extends Described<
  T,
  Engine,
  Analyzer<T>
> {
  readonly kind: "textual";
}

/** Everything that the rest of the system needs to know about a visual analysis. */
export interface VisualDescriptor<T extends VisualAnalysis = VisualAnalysis> extends Described<
  T,
  VisualEngine,
  VisualAnalyzer<T>
> {
  readonly kind: "visual";
  /** Packages that the engine `builtin` requires. */
  readonly packages: readonly string[];
}
