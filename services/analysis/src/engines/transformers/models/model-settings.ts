import { readFile } from "node:fs/promises";
import path from "node:path";
import { ModelError, OWN_SETTINGS_FILE } from "../../../model-hub/index.js";

/** What a network does with a text. */
export type ModelTask = "text-classification" | "zero-shot-classification" | "token-classification";

const TASKS: readonly string[] = ["text-classification", "zero-shot-classification", "token-classification"];

/** What has to be known of a model beside its own files; lies as hourglass.json in its folder, or is built in. */
export interface ModelSettings {
  /** The model's labels and ours; null: a label that is left out. */
  labels?: Readonly<Record<string, string | null>>;
  task?: ModelTask;
  /** Divides the logits; above 1 makes probabilities less certain. */
  temperature?: number;
  /** ISO 639-1 codes of the languages it was made for. */
  languages?: readonly string[];
  /** Of a zero-shot model: the sentence that stands for each of our labels. */
  hypotheses?: Readonly<Record<string, string>>;
  /** What the model was trained to see in place of @handles and of links. */
  handles?: string;
  links?: string;
  /** Of a model that looks at pictures: what is less probable is not reported. */
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

/** The operator's settings of a model, and the text they were read from; undefined where there are none. Throws ModelError. */
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

/** A file without the place of MODELS_DIR: messages get into results, which callers see. */
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

/** What a model's own config.json says, as far as it matters here. */
export interface ModelConfig {
  /** In the order of the logits. */
  labels: readonly string[];
  task: ModelTask | undefined;
  /** Whether labels exclude each other. */
  multiLabel: boolean;
  /** Tokens a text may have; undefined where it does not say. */
  positions: number | undefined;
}

/** Reads config.json of a model that classifies texts. Throws ModelError. */
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

/** What config.json says of a model that looks at pictures. */
export interface VisionConfig {
  /** Family of networks, such as `detr`. */
  family: string;
  /** By the number of the logit, which may leave some out. */
  labels: ReadonlyMap<number, string>;
}

/** Reads config.json of a model that looks at pictures. Throws ModelError. */
export async function readVisionConfig(folder: string): Promise<VisionConfig> {
  const file = path.join(folder, "config.json");
  const { model_type: family, id2label } = parse(file, await readFile(file, "utf8"));
  return { family: typeof family === "string" ? family : "", labels: labelsIn(id2label) };
}

/** In the order of their numbers; none where `id2label` is not what it should be. */
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

/** Whether a label of a model that compares two sentences says that the second follows from the first. */
export const isEntailment = (label: string): boolean => label.toLowerCase() === "entailment";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
