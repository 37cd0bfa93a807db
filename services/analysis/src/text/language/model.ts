import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { FEATURIZER } from "./ngram-reader.js";
import { decodeWeights, type LanguageWeights } from "./weights/weights.js";
import { shipped } from "../../shipped-models.js";

export const CARD_FILE = "model.json";
export const WEIGHTS_FILE = "weights.bin.gz";

/** Folder of the shipped language model. */
export const LANGUAGE_MODEL_FOLDER = shipped("language/");

/** Contents of `model.json`; the weights are in the same folder. */
export interface LanguageCard {
  type: string;
  version: string;
  /** Version of the n-gram reader that the model was trained with. */
  featurizer: number;
  /** ISO 639-1. */
  labels: string[];
  temperature: number;
  /** Of the weights file on disk. */
  sha256: string;
  rows: number;
  entries: number;
  /** The training parameters, for reproduction. */
  training: Record<string, string | number>;
  /** Figures on the development data; `npm run evaluate` compares later runs with them. */
  dev: Record<string, number>;
}

/** The model in memory. */
export interface LanguageModel {
  readonly card: LanguageCard;
  readonly weights: LanguageWeights;
}

/** Reads and verifies a model folder. Throws with the reason if a file is missing, damaged or of another reader. */
export const readLanguageModel = (folder: URL): LanguageModel => {
  const card: unknown = JSON.parse(readModelFile(folder, CARD_FILE).toString("utf8"));
  if (!isCard(card)) throw new Error(`${new URL(CARD_FILE, folder).pathname} is not the card of a language model`);
  if (card.featurizer !== FEATURIZER) {
    throw new Error(
      `the language model was trained with featurizer ${card.featurizer}, this code has ${FEATURIZER}: train it again`,
    );
  }
  const packed = readModelFile(folder, WEIGHTS_FILE);
  const found = createHash("sha256").update(packed).digest("hex");
  if (found !== card.sha256) {
    throw new Error(
      `the language model is damaged: ${WEIGHTS_FILE} has checksum ${found.slice(0, 12)}…, expected ${card.sha256.slice(0, 12)}…`,
    );
  }
  const weights = decodeWeights(gunzipSync(packed));
  if (weights.biases.length !== card.labels.length) {
    throw new Error("the language model does not fit its card: the number of labels differs");
  }
  return { card, weights };
};

const readModelFile = (folder: URL, file: string): Buffer => {
  try {
    return readFileSync(new URL(file, folder));
  } catch (cause) {
    throw new Error(`cannot read the model file ${new URL(file, folder).pathname}`, { cause });
  }
};

const isCard = (value: unknown): value is LanguageCard =>
  typeof value === "object" &&
  value !== null &&
  "labels" in value &&
  Array.isArray(value.labels) &&
  "sha256" in value &&
  typeof value.sha256 === "string" &&
  "temperature" in value &&
  typeof value.temperature === "number" &&
  "featurizer" in value &&
  typeof value.featurizer === "number";
