import { readCardFile, readWeights, shipped } from "../../../models/shipped.js";
import { FEATURE_BUCKETS, FEATURE_VERSION } from "./features.js";
import { ENTITY_CLASSES, TAG_COUNT } from "./tags.js";

/** Folder of the model; the same from the sources and from the build. */
export const MODEL_FOLDER = shipped("topic/");

/** Contents of `model.json` for the entity tagger. */
export interface TaggerCard {
  type: "topic";
  version: string;
  /** Version of the features the weights were trained with. */
  features: number;
  labels: string[];
  /** Of the weights file on disk. */
  sha256: string;
  /** Value of one unit of a weight. */
  scale: number;
  /** Added to the score of "no entity" at every token; negative values find more entities. */
  outsideBias: number;
  /** Score of each pair of neighbouring tags, row by row. */
  transitions: number[];
  training: Record<string, string | number>;
  /** Figures on the development data. */
  dev: Record<string, number>;
}

/** The tagger in memory. */
export interface TaggerModel {
  readonly version: string;
  /** `FEATURE_BUCKETS` rows of one value per tag, in units of `scale`. */
  readonly weights: Int8Array;
  readonly scale: number;
  readonly outsideBias: number;
  readonly transitions: Float64Array;
}

/** Reads the card of the model in a folder. */
export function readTaggerCard(folder: URL = MODEL_FOLDER): TaggerCard {
  const card: unknown = readCardFile(folder);
  if (!isCard(card)) throw new Error("the model card of topic lacks its labels, checksum or transitions");
  if (card.features !== FEATURE_VERSION || card.labels.join() !== ENTITY_CLASSES.join()) {
    throw new Error("the model of topic was trained with other features or labels than this code has: train it again");
  }
  return card;
}

/** Reads and verifies the model in a folder; throws with the reason if it is missing, damaged or outdated. */
export function readTaggerModel(folder: URL = MODEL_FOLDER): TaggerModel {
  const card = readTaggerCard(folder);
  const bytes = readWeights(folder, card, "the model of topic");
  if (bytes.length !== FEATURE_BUCKETS * TAG_COUNT || card.transitions.length !== TAG_COUNT * TAG_COUNT) {
    throw new Error("the model of topic does not fit its card: the number of weights differs");
  }
  return {
    version: card.version,
    weights: decodeColumns(bytes),
    scale: card.scale,
    outsideBias: card.outsideBias,
    transitions: Float64Array.from(card.transitions),
  };
}

/** Weights tag by tag, the order that compresses best. */
export function encodeColumns(weights: Int8Array): Buffer {
  const bytes = Buffer.alloc(weights.length);
  for (let row = 0; row < FEATURE_BUCKETS; row++) {
    for (let tag = 0; tag < TAG_COUNT; tag++) {
      bytes.writeInt8(weights[row * TAG_COUNT + tag] ?? 0, tag * FEATURE_BUCKETS + row);
    }
  }
  return bytes;
}

function decodeColumns(bytes: Buffer): Int8Array {
  const weights = new Int8Array(bytes.length);
  for (let tag = 0; tag < TAG_COUNT; tag++) {
    for (let row = 0; row < FEATURE_BUCKETS; row++) {
      // Two's complement: bytes above 127 are negative.
      weights[row * TAG_COUNT + tag] = bytes[tag * FEATURE_BUCKETS + row] ?? 0;
    }
  }
  return weights;
}

function isCard(value: unknown): value is TaggerCard {
  if (typeof value !== "object" || value === null) return false;
  const card = value as Partial<TaggerCard>;
  return Array.isArray(card.labels) && typeof card.sha256 === "string" && Array.isArray(card.transitions);
}
