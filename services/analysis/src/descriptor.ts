import type { Analyzer, Engine, EngineSettings, VisualAnalyzer, VisualEngine } from "./types.js";
import type { LabelSet } from "./text/classification.js";

/** The parts of a vision model that an analysis needs. */
export interface ModelParts {
  /** Required files. */
  readonly files: readonly string[];
  /** Required networks, all in one folder. */
  readonly networks: readonly string[];
}

const CONFIG = ["config.json", "preprocessor_config.json"];
const WITH_TOKENIZER = [...CONFIG, "tokenizer.json", "tokenizer_config.json"];

/** Models that find objects. */
export const DETECTOR: ModelParts = { files: CONFIG, networks: ["model"] };

/** Models that compare a picture with sentences. */
export const ZERO_SHOT: ModelParts = { files: WITH_TOKENIZER, networks: ["text_model", "vision_model"] };

/** Models that describe a picture in a sentence. */
export const CAPTIONER: ModelParts = { files: WITH_TOKENIZER, networks: ["encoder_model", "decoder_model_merged"] };

/**
 * Loads an analyzer. It imports the engine's code on first use: models and runtimes are large, and no process needs all
 * of them.
 */
type Loader<A> = (settings: EngineSettings) => Promise<A>;

interface Described<T extends string, E extends string, A> {
  /** Wire value of the analysis. */
  readonly type: T;
  readonly engines: Readonly<Partial<Record<E, Loader<A>>>>;
  readonly defaultEngine: E;
  /** Hugging Face id of the model that the engine `models` uses if none is configured. */
  readonly defaultModel?: string;
}

/** Everything that the rest of the system needs to know about a textual analysis with that result for one text. */
export interface TextualDescriptor<T extends string = string, Result = unknown> extends Described<
  T,
  Engine,
  Analyzer<T, Result>
> {
  readonly kind: "textual";
  /** Of an analysis with one label of a closed list as result. */
  readonly labels?: LabelSet<T>;
}

/** Everything that the rest of the system needs to know about a visual analysis with that result for one file. */
export interface VisualDescriptor<T extends string = string, Result = unknown> extends Described<
  T,
  VisualEngine,
  VisualAnalyzer<T, Result>
> {
  readonly kind: "visual";
  /** What a model needs to have for the engine `models`. */
  readonly modelParts?: ModelParts;
  /** Packages that the engine `builtin` requires. */
  readonly packages: readonly string[];
}
