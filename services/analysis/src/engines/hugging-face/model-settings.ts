import { readFile } from "node:fs/promises";
import path from "node:path";
import { ModelError } from "../../models/model.js";
import { OWN_SETTINGS_FILE } from "../../models/pull.js";

/** The task of a text network. */
export type ModelTask = "text-classification" | "zero-shot-classification" | "token-classification";

const TASKS: readonly string[] = ["text-classification", "zero-shot-classification", "token-classification"];

/** Settings of a model that its own files lack; stored as hourglass.json in its folder, or built in. */
export interface ModelSettings {
  /** Maps the model's labels to those of the product; null for a label that is left out. */
  labels?: Readonly<Record<string, string | null>>;
  task?: ModelTask;
  /** Divisor of the logits; above 1, probabilities become less certain. */
  temperature?: number;
  /** ISO 639-1 codes of the languages that the model supports. */
  languages?: readonly string[];
  /** For a zero-shot model: the hypothesis for each label of the product. */
  hypotheses?: Readonly<Record<string, string>>;
  /** The placeholders for @handles and for links that the model was trained with. */
  handles?: string;
  links?: string;
  /** For a vision model: the minimum probability of reported results. */
  threshold?: number;
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isTextRecord = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isText);

const CHECKS: Readonly<Record<keyof ModelSettings, readonly [check: (value: unknown) => boolean, allowed: string]>> = {
  labels: [
    (value) => isRecord(value) && Object.values(value).every((label) => label === null || isText(label)),
    "an object of the model's labels and ours",
  ],
  task: [(value) => TASKS.includes(value as string), `one of ${TASKS.join(", ")}`],
  temperature: [(value) => typeof value === "number" && value > 0 && value <= 100, "a number above 0"],
  languages: [
    (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
    'a list of ISO 639-1 codes such as ["en"]',
  ],
  hypotheses: [isTextRecord, "an object of our labels and a sentence for each"],
  handles: [isText, "a text"],
  links: [isText, "a text"],
  threshold: [(value) => typeof value === "number" && value > 0 && value < 1, "a number between 0 and 1"],
};

/** The operator's settings of a model with their source text; undefined if there are none. Throws ModelError. */
export async function readModelSettings(
  folder: string,
): Promise<{ settings: ModelSettings; text: string } | undefined> {
  const file = path.join(folder, OWN_SETTINGS_FILE);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const settings = parse(file, text);
  for (const [key, value] of Object.entries(settings)) {
    const check = Object.hasOwn(CHECKS, key) ? CHECKS[key as keyof ModelSettings] : undefined;
    if (check === undefined) {
      throw new ModelError(
        "refused",
        `${shown(file)}: unknown "${key}", allowed are ${Object.keys(CHECKS).join(", ")}.`,
      );
    }
    if (!check[0](value)) throw new ModelError("refused", `${shown(file)}: "${key}" must be ${check[1]}.`);
  }
  return { settings, text };
}

/** A path without the location of MODELS_DIR: messages are included in results, which callers see. */
const shown = (file: string): string => file.split(path.sep).slice(-3).join("/");

function parse(file: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isRecord(value)) throw new ModelError("refused", `${shown(file)} is no JSON object.`);
  return value;
}

/** The relevant part of a model's own config.json. */
export interface ModelConfig {
  /** In the order of the logits. */
  labels: readonly string[];
  task: ModelTask | undefined;
  /** Whether several labels may apply at once. */
  multiLabel: boolean;
  /** Maximum number of tokens of a text; undefined if not specified. */
  positions: number | undefined;
}

/** Reads config.json of a text classification model. Throws ModelError. */
export async function readModelConfig(folder: string): Promise<ModelConfig> {
  const file = path.join(folder, "config.json");
  const config = parse(file, await readFile(file, "utf8"));
  const { id2label, architectures, problem_type: problem, max_position_embeddings: positions } = config;
  const labels = [...labelsIn(id2label).values()];
  if (labels.length < 2) {
    throw new ModelError("refused", `${shown(file)} names no labels (id2label): this is no model that classifies.`);
  }
  return {
    labels,
    task: taskOf(Array.isArray(architectures) ? String(architectures[0]) : "", labels),
    multiLabel: problem === "multi_label_classification",
    positions: typeof positions === "number" ? positions : undefined,
  };
}

/** The relevant part of a vision model's config.json. */
export interface VisionConfig {
  /** The model family, for example `detr`. */
  family: string;
  /** By the index of the logit; some may be missing. */
  labels: ReadonlyMap<number, string>;
}

/** Reads config.json of a vision model. Throws ModelError. */
export async function readVisionConfig(folder: string): Promise<VisionConfig> {
  const file = path.join(folder, "config.json");
  const { model_type: family, id2label } = parse(file, await readFile(file, "utf8"));
  return { family: typeof family === "string" ? family : "", labels: labelsIn(id2label) };
}

/** In the order of their numbers; empty if `id2label` is malformed. */
function labelsIn(id2label: unknown): Map<number, string> {
  if (!isRecord(id2label) || !Object.values(id2label).every(isText)) return new Map();
  const numbered = Object.entries(id2label).map(([id, label]): [number, string] => [Number(id), String(label)]);
  return new Map(numbered.sort(([a], [b]) => a - b));
}

function taskOf(architecture: string, labels: readonly string[]): ModelTask | undefined {
  if (architecture.endsWith("ForTokenClassification")) return "token-classification";
  if (!architecture.endsWith("ForSequenceClassification")) return undefined;
  return labels.some(isEntailment) ? "zero-shot-classification" : "text-classification";
}

/** Whether a label of a model that compares two sentences means that the second follows from the first. */
export const isEntailment = (label: string): boolean => label.toLowerCase() === "entailment";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Settings that the folders of known models lack. An operator's hourglass.json takes precedence. */
export const KNOWN_SETTINGS: Readonly<Record<string, ModelSettings>> = {
  "Xenova/twitter-roberta-base-sentiment-latest": { handles: "@user", links: "http" },
  "Xenova/twitter-roberta-base-sentiment": {
    handles: "@user",
    links: "http",
    labels: { LABEL_0: "negative", LABEL_1: "neutral", LABEL_2: "positive" },
  },
  "onnx-community/bert-tiny-finetuned-sms-spam-detection-ONNX": { labels: { LABEL_0: "ham", LABEL_1: "spam" } },
};
