import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CARD_FILE, shipped } from "../../models/shipped-models.js";

/** Format of `model.json`; changes with the inputs and outputs of the network. */
const FORMAT = 1;

/** The classifications that the encoder makes, and the outputs of the network that hold their scores. */
export const TASK_OUTPUTS = {
  "sentiment-simple": "sentiment_simple",
  "sentiment-real": "sentiment_real",
  intention: "intention",
  "spam-detection": "spam",
} as const;

export type EncoderTaskName = keyof typeof TASK_OUTPUTS;

export const ENCODER_TASKS = Object.keys(TASK_OUTPUTS) as readonly EncoderTaskName[];

/** What makes probabilities of the scores of the labels. */
interface Calibration {
  /** The divisor that calibrates scores. */
  temperature: number;
  /** Added to the scores of the labels, in their order; nothing if omitted. */
  bias?: readonly number[];
}

/** What makes probabilities of the scores of a text in a language. */
export const calibrationOf = (task: EncoderTask, language: string): Calibration =>
  (Object.hasOwn(task.byLanguage ?? {}, language) ? task.byLanguage?.[language] : undefined) ?? task;

/** Contents of `model.json` for the encoder; the weights and the vocabulary are in the same folder. */
export interface EncoderCard {
  format: number;
  version: string;
  /** Of the other files in the folder. */
  sha256: Readonly<Record<string, string>>;
  tasks: Readonly<Record<EncoderTaskName, EncoderTask>>;
  tags: EncoderTags;
  /** Figures of entities and noun chunks on the development data. */
  topicDev?: Readonly<Record<string, number>>;
  /** Of the multilingual encoder: F1 of names and of noun chunks by language. */
  topicByLanguage?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The languages other than English in which topics were measured and are good enough. */
  topicLanguages?: readonly string[];
  /** The training parameters, for reproduction. */
  training?: Readonly<Record<string, string | number>>;
}

export interface EncoderTask extends Calibration {
  labels: readonly string[];
  /** The languages in which the classification was measured; English if omitted. */
  languages?: readonly string[];
  /** Weight of the linear model's scores relative to the encoder's, 0 to 1; 0 if omitted. */
  linearShare?: number;
  /** The folder of the linear model; that of the analysis if omitted. */
  linear?: string;
  /** What replaces the temperature and the bias for texts in a language. */
  byLanguage?: Readonly<Record<string, Calibration>>;
  /**
   * Of sentiment-real: how likely an emotion is whose sentiment contradicts that of sentiment-simple, relative to the
   * others. Emotions do not depend on the sentiment if omitted.
   */
  contradiction?: number;
  /** Figures on the development data of each language, for the multilingual encoder. */
  devByLanguage?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Figures on clear sentences in each language, for the multilingual encoder. */
  clearByLanguage?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Figures on the development data; `npm run evaluate` compares later runs with them. */
  dev?: Readonly<Record<string, number>>;
}

/** The meaning of a token's scores, in their order. */
interface EncoderTags {
  /** BIO tags. */
  entity: readonly string[];
  /** Universal parts of speech. */
  pos: readonly string[];
  /** Number of classes for the tokens to the left of a noun that belong to its chunk, from 0 to this minus one. */
  left: number;
  /** The same to the right. */
  right: number;
  /** Number of classes for the characters of a word before its noun, `the` of an Arabic word; none if omitted. */
  before?: number;
  /** The same after it: particles and endings. */
  after?: number;
}

/** Reads `model.json` of the encoder's folder. Throws with the reason if it is missing or incompatible. */
export const readEncoderCard = (folder: URL): EncoderCard => {
  const file = fileURLToPath(new URL(CARD_FILE, folder));
  const card = parse(readModelFile(folder, CARD_FILE));
  if (isObject(card) && card["format"] !== FORMAT) {
    throw new Error(
      `${file} has format ${String(card["format"])}, this code reads ${FORMAT}: ${WHAT_TO_DO}, from the same release`,
    );
  }
  if (!isCard(card)) throw new Error(`${file} is not a card of the encoder: ${WHAT_TO_DO}`);
  return card;
};

/** Verifies the files against the card, and returns the contents of `tokenizer.json`. */
export const verifyEncoder = (folder: URL, card: EncoderCard): object => {
  verify(ENCODER_WEIGHTS_FILE, hashOf(folder, ENCODER_WEIGHTS_FILE), card);
  verify(TOKENIZER_FILE, hashOf(folder, TOKENIZER_FILE), card);
  const tokenizer = parse(readModelFile(folder, TOKENIZER_FILE));
  if (!isObject(tokenizer)) throw new Error(`${TOKENIZER_FILE} of the encoder holds no vocabulary: ${WHAT_TO_DO}`);
  return tokenizer;
};

/** Every analysis of the encoder has another engine that does not need it. */
const WHAT_TO_DO = "install the encoder's model again, or choose ENGINE_<ANALYSIS>=fast";

const verify = (file: string, found: string, card: EncoderCard): void => {
  const expected = card.sha256[file] ?? "";
  if (found === expected) return;
  throw new Error(
    `the encoder's model is damaged: ${file} has checksum ${found.slice(0, 12)}…, expected ${expected.slice(0, 12)}…: ${WHAT_TO_DO}`,
  );
};

/** Reads a megabyte at a time: each thread verifies the weights, and they are large. */
const hashOf = (folder: URL, name: string): string => {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(2 ** 20);
  const file = reading(folder, name, (url) => openSync(url, "r"));
  try {
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) hash.update(chunk.subarray(0, size));
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
};

const readModelFile = (folder: URL, file: string): Buffer => reading(folder, file, (url) => readFileSync(url));

const reading = <T>(folder: URL, file: string, read: (url: URL) => T): T => {
  const url = new URL(file, folder);
  try {
    return read(url);
  } catch (cause) {
    throw new Error(`cannot read the encoder's model file ${fileURLToPath(url)}: ${WHAT_TO_DO}`, { cause });
  }
};

const parse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const isCard = (card: unknown): card is EncoderCard => {
  if (!isObject(card) || typeof card["version"] !== "string" || !isObject(card["sha256"])) return false;
  const { tasks, tags } = card;
  if (!isObject(tasks) || !isObject(tags)) return false;
  return ENCODER_TASKS.every((task) => isTask(tasks[task])) && areTags(tags);
};

const isTask = (task: unknown): boolean =>
  isObject(task) && areNames(task["labels"]) && typeof task["temperature"] === "number" && task["temperature"] > 0;

const areTags = ({ entity, pos, left, right }: Record<string, unknown>): boolean =>
  areNames(entity) && areNames(pos) && typeof left === "number" && typeof right === "number";

const areNames = (names: unknown): boolean =>
  Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === "string");

/** Folder of the encoder for English. */
export const ENCODER_FOLDER: URL = shipped("encoder/");
/** Folder of the encoder for other languages. */
export const MULTILINGUAL_FOLDER: URL = shipped("encoder-multilingual/");

export const TOKENIZER_FILE = "tokenizer.json";
export const ENCODER_WEIGHTS_FILE = "model.onnx";
