import type { Engine } from "./analyzer.js";
import type { VisualEngine } from "./visual.js";

/** Settings for the analysis of files. */
export interface MediaSettings {
  /** Number of concurrent processes; they start on first use. */
  processes?: number;
  /** MiB per process; a file that needs more ends the process and fails with an error of its own. */
  memoryMaxMb?: number;
  /** Absolute path of ffmpeg; searched for if omitted. */
  ffmpegPath?: string | undefined;
  /** Engines of the analyses that do not use their default, `builtin`. */
  engines?: Readonly<Partial<Record<string, VisualEngine>>>;
  /** Hugging Face ids that replace the defaults of the engine `models` and of speech recognition. */
  models?: Readonly<Partial<Record<string, string>>>;
  /** The complete environment of the processes. */
  environment?: Readonly<Record<string, string>>;
}

/** The settings that analyzers are created with. Plain data, because they are passed to threads, too. */
export interface EngineSettings {
  /** Engines of the analyses that do not use their default. */
  engines?: Readonly<Partial<Record<string, Engine>>>;
  /**
   * Hugging Face ids that replace the defaults of the engine `models`, for example `owner/name` or
   * `owner/name@revision`.
   */
  models?: Readonly<Partial<Record<string, string>>>;
  /** Folder with downloaded models. */
  modelsDir?: string;
  /** Forbids downloads. */
  offline?: boolean;
  /** The server that models are downloaded from. */
  hub?: { endpoint: string; token?: string };
  media?: MediaSettings;
}
