import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { DENSE_FEATURES, FEATURIZER } from "../../text/ngrams/features.js";
import { decodeWeights, type Weights } from "./weights.js";

export const CARD_FILE = "model.json";
export const WEIGHTS_FILE = "weights.bin.gz";

/** Contents of `model.json`; the weights are in the same folder. */
export interface ModelCard {
  type: string;
  version: string;
  /** Version of the featurizer that the model was trained with. */
  featurizer: number;
  labels: string[];
  temperature: number;
  /** Of the weights file on disk. */
  sha256: string;
  rows: number;
  /** The training parameters, for reproduction. */
  training: Record<string, string | number | boolean>;
  /** Figures on the development data at training time; `npm run evaluate` compares later runs with them. */
  dev: Record<string, number>;
}

/** A model in memory. */
export interface LinearModel {
  readonly card: ModelCard;
  readonly weights: Weights;
}

/** Reads `model.json` of a model folder. */
export const readCard = (folder: URL): ModelCard => {
  const card: unknown = JSON.parse(readModelFile(folder, CARD_FILE).toString("utf8"));
  if (!isCard(card)) throw new Error(`${new URL(CARD_FILE, folder).pathname} is not a model card`);
  if (card.featurizer !== FEATURIZER) {
    throw new Error(
      `the model of ${card.type} was trained with featurizer ${card.featurizer}, this code has ${FEATURIZER}: train it again`,
    );
  }
  return card;
};

/** Reads and verifies a model folder. Throws with the reason if a file is missing, damaged or of another featurizer. */
export const readModel = (folder: URL): LinearModel => {
  const card = readCard(folder);
  const packed = readModelFile(folder, WEIGHTS_FILE);
  const found = createHash("sha256").update(packed).digest("hex");
  if (found !== card.sha256) {
    throw new Error(
      `the model of ${card.type} is damaged: ${WEIGHTS_FILE} has checksum ${found.slice(0, 12)}…, expected ${card.sha256.slice(0, 12)}…`,
    );
  }
  const weights = decodeWeights(gunzipSync(packed));
  if (
    weights.scales.length !== card.labels.length ||
    weights.dense.length !== DENSE_FEATURES.length * card.labels.length
  ) {
    throw new Error(`the model of ${card.type} does not fit its card: labels or dense features differ`);
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

const isCard = (value: unknown): value is ModelCard =>
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
