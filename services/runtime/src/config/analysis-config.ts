import path from "node:path";
import type { Values } from "./variables.js";

type ConfiguredAnalysis =
  "sentiment-simple" | "sentiment-real" | "topic" | "spam-detection" | "personality-mb" | "intention";

type ConfiguredVisual = "face-id" | "object-id" | "activity-id" | "logo-id" | "caption";

/** How contents are analysed. An analysis without an engine or a model here has the default that it brings along. */
export interface AnalysisConfig {
  threads: number;
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

/** `environment` is what the processes that decode files may see. */
export function toAnalysis(
  values: Values,
  { dataDir, environment }: { dataDir: string; environment: Record<string, string> },
): AnalysisConfig {
  const token = values.HF_TOKEN;
  return {
    threads: values.ANALYSIS_THREADS,
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
    media: { ...toMediaAnalysis(values), environment },
  };
}

function toMediaAnalysis(values: Values): Omit<AnalysisConfig["media"], "environment"> {
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
