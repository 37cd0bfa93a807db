import { availableParallelism } from "node:os";
import path from "node:path";
import { defineSettings, variable, type Values } from "@hourglass/runtime";
import { z } from "zod";
import { FILE_LIMIT_VARIABLES, toFileLimits, type FileLimits } from "./formats/limit-variables.js";

/** The analyses know their default. */
const engine = (...allowed: readonly ["fast", ...("accurate" | "models")[]]) =>
  z.enum(allowed, allowed.join(", ")).optional();

/** Of analyses that look at pictures. */
const visualEngine = (...allowed: readonly ["builtin", ..."models"[]]) =>
  z.enum(allowed, allowed.join(", ")).optional();

/** Also the name of the folder in MODELS_DIR. */
const modelId = () =>
  z
    .string()
    .regex(/^\w[\w.-]*\/\w[\w.-]*(@\w[\w./-]*)?$/, "an id of Hugging Face, owner/name or owner/name@revision")
    .optional();

const ENGINES = ["fast", "accurate", "models"] as const;

const VARIABLES = {
  ...FILE_LIMIT_VARIABLES,
  MODELS_DIR: variable.text().optional(),
  OFFLINE: variable.flag,
  /** Threads that analyse. */
  ANALYSIS_THREADS: variable.integer(1, 64, Math.min(64, availableParallelism())),
  /** Processes that decode files and look at them, beside the threads. */
  MEDIA_PROCESSES: variable.integer(1, 64, Math.min(64, Math.max(1, Math.floor(availableParallelism() / 2)))),
  /** Memory of one of those in MiB; a file that needs more becomes that file's error. */
  MEDIA_MEMORY_MB: variable.integer(512, 65_536, 1536),
  /** The ffmpeg to call; unset: the one on the PATH, or the one that npm installed. */
  FFMPEG_PATH: variable.text().optional(),
  /** Whether faces are given the names of people who were enrolled. */
  FACE_RECOGNITION: variable.flag,
  /** What makes the results of each analysis. */
  ENGINE_SENTIMENT_SIMPLE: engine(...ENGINES),
  ENGINE_SENTIMENT_REAL: engine(...ENGINES),
  ENGINE_TOPIC: engine(...ENGINES),
  ENGINE_SPAM_DETECTION: engine(...ENGINES),
  ENGINE_PERSONALITY_MB: engine("fast"),
  ENGINE_INTENTION: engine(...ENGINES),
  ENGINE_FACE_ID: visualEngine("builtin"),
  ENGINE_OBJECT_ID: visualEngine("builtin", "models"),
  ENGINE_ACTIVITY_ID: visualEngine("builtin", "models"),
  ENGINE_LOGO_ID: visualEngine("builtin", "models"),
  ENGINE_CAPTION: visualEngine("builtin", "models"),
  /** What the engine `models` uses in place of its defaults. */
  MODEL_SENTIMENT_SIMPLE: modelId(),
  MODEL_SENTIMENT_REAL: modelId(),
  MODEL_TOPIC: modelId(),
  MODEL_SPAM_DETECTION: modelId(),
  MODEL_INTENTION: modelId(),
  MODEL_OBJECT_ID: modelId(),
  MODEL_ACTIVITY_ID: modelId(),
  MODEL_LOGO_ID: modelId(),
  MODEL_CAPTION: modelId(),
  /** Transcribes speech; the default is a folder of MODELS_DIR too. */
  MODEL_SPEECH: modelId(),
  /** Where models are downloaded from. */
  HF_ENDPOINT: variable.url("http", "https").default("https://huggingface.co"),
  HF_TOKEN: variable.secret(variable.text().optional()),
} as const;

type AnalysisValues = Values<typeof VARIABLES>;

type ConfiguredAnalysis =
  "sentiment-simple" | "sentiment-real" | "topic" | "spam-detection" | "personality-mb" | "intention";

type ConfiguredVisual = "face-id" | "object-id" | "activity-id" | "logo-id" | "caption";

/** How contents are analysed. An analysis without an engine or a model here has the default that it brings along. */
export interface AnalysisConfig {
  threads: number;
  /** Of files that are analysed. */
  fileLimits: FileLimits;
  media: {
    processes: number;
    /** MiB of one process. */
    memoryMaxMb: number;
    ffmpegPath: string | undefined;
    faceRecognition: boolean;
    /** What the processes that decode files see of the environment: none of the secrets. */
    environment: Record<string, string>;
    engines: Partial<Record<ConfiguredVisual, "builtin" | "models">>;
    /** Ids of Hugging Face. */
    models: Partial<Record<Exclude<ConfiguredVisual, "face-id"> | "speech", string>>;
  };
  /** Absolute path. */
  modelsDir: string;
  /** Forbids downloads. */
  offline: boolean;
  engines: Partial<Record<ConfiguredAnalysis, "fast" | "accurate" | "models">>;
  /** Ids of Hugging Face. */
  models: Partial<Record<ConfiguredAnalysis, string>>;
  hub: { endpoint: string; token?: string };
}

/** The settings of processes that analyse. */
export const analysisSettings = defineSettings(VARIABLES, (values, { dataDir, childEnvironment }): AnalysisConfig => {
  const token = values.HF_TOKEN;
  return {
    threads: values.ANALYSIS_THREADS,
    fileLimits: toFileLimits(values),
    modelsDir: path.resolve(values.MODELS_DIR ?? path.join(dataDir, "models")),
    offline: values.OFFLINE,
    engines: present({
      "sentiment-simple": values.ENGINE_SENTIMENT_SIMPLE,
      "sentiment-real": values.ENGINE_SENTIMENT_REAL,
      topic: values.ENGINE_TOPIC,
      "spam-detection": values.ENGINE_SPAM_DETECTION,
      "personality-mb": values.ENGINE_PERSONALITY_MB,
      intention: values.ENGINE_INTENTION,
    }),
    models: present({
      "sentiment-simple": values.MODEL_SENTIMENT_SIMPLE,
      "sentiment-real": values.MODEL_SENTIMENT_REAL,
      topic: values.MODEL_TOPIC,
      "spam-detection": values.MODEL_SPAM_DETECTION,
      intention: values.MODEL_INTENTION,
    }),
    hub: { endpoint: values.HF_ENDPOINT, ...(token === undefined ? {} : { token }) },
    media: { ...toMediaAnalysis(values), environment: { ...childEnvironment } },
  };
});

function toMediaAnalysis(values: AnalysisValues): Omit<AnalysisConfig["media"], "environment"> {
  return {
    processes: values.MEDIA_PROCESSES,
    memoryMaxMb: values.MEDIA_MEMORY_MB,
    ffmpegPath: values.FFMPEG_PATH,
    faceRecognition: values.FACE_RECOGNITION,
    engines: present({
      "face-id": values.ENGINE_FACE_ID,
      "object-id": values.ENGINE_OBJECT_ID,
      "activity-id": values.ENGINE_ACTIVITY_ID,
      "logo-id": values.ENGINE_LOGO_ID,
      caption: values.ENGINE_CAPTION,
    }),
    models: present({
      "object-id": values.MODEL_OBJECT_ID,
      "activity-id": values.MODEL_ACTIVITY_ID,
      "logo-id": values.MODEL_LOGO_ID,
      caption: values.MODEL_CAPTION,
      speech: values.MODEL_SPEECH,
    }),
  };
}

/** Leaves out what is not set. */
function present<K extends string, T>(entries: Partial<Record<K, T | undefined>>): Partial<Record<K, T>> {
  const set = Object.entries(entries).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Partial<Record<K, T>>;
}
