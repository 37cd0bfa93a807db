import type { Engine, TextualAnalysis } from "./analyzer.js";
import type { VisualAnalysis, VisualEngine } from "./visual.js";

/** How files are looked at. */
export interface MediaSettings {
  /** Processes at the same time; they start on first use. */
  processes?: number;
  /** MiB of one process; a file that needs more ends the process and becomes that file's error. */
  memoryMaxMb?: number;
  /** Absolute path of ffmpeg; found by itself without. */
  ffmpegPath?: string | undefined;
  /** Of every analysis that is not to have its default, which is `builtin`. */
  engines?: Readonly<Partial<Record<VisualAnalysis, VisualEngine>>>;
  /** Hugging Face ids, of the engine `models` and of speech, where the defaults are not wanted. */
  models?: Readonly<Partial<Record<Exclude<VisualAnalysis, "face-id"> | "speech", string>>>;
  /** All that the processes see of the environment. */
  environment?: Readonly<Record<string, string>>;
}

/** What analyses are made with. Plain data, since threads get it too. */
export interface EngineSettings {
  /** Of every analysis that is not to have its default. */
  engines?: Readonly<Partial<Record<TextualAnalysis, Engine>>>;
  /** Hugging Face ids for the engine `models`, where its default is not wanted; such as `owner/name` or `owner/name@revision`. */
  models?: Readonly<Partial<Record<TextualAnalysis, string>>>;
  /** Folder with downloaded models. */
  modelsDir?: string;
  /** Forbids downloads. */
  offline?: boolean;
  /** Where models come from. */
  hub?: { endpoint: string; token?: string };
  media?: MediaSettings;
}
