import {
  CARD_FILE,
  type ClassifierCard,
  isClassifierCard,
  readCardFile,
  readWeights,
  shipped,
} from "../../models/shipped-models.js";
import { decodeGaps, encodeGaps } from "../ngrams/buckets.js";
import { LANGUAGE_FEATURIZER } from "./ngram-reader.js";

/** Folder of the shipped language model. */
export const LANGUAGE_MODEL_FOLDER = shipped("language/");

/** Contents of `model.json`, with ISO 639-1 codes as labels; the weights are in the same folder. */
export interface LanguageCard extends ClassifierCard {
  entries: number;
  /** The training parameters, for reproduction. */
  training: Record<string, string | number>;
}

/** The model in memory. */
export interface LanguageModel {
  readonly card: LanguageCard;
  readonly weights: LanguageWeights;
}

/** Reads and verifies a model folder. Throws with the reason if a file is missing, damaged or of another reader. */
export const readLanguageModel = (folder: URL): LanguageModel => {
  const card: unknown = readCardFile(folder);
  if (!isCard(card)) throw new Error(`${new URL(CARD_FILE, folder).pathname} is not the card of a language model`);
  if (card.featurizer !== LANGUAGE_FEATURIZER) {
    throw new Error(
      `the language model was trained with featurizer ${card.featurizer}, this code has ${LANGUAGE_FEATURIZER}: train it again`,
    );
  }
  const weights = decodeWeights(readWeights(folder, card, "the language model"));
  if (weights.biases.length !== card.labels.length) {
    throw new Error("the language model does not fit its card: the number of labels differs");
  }
  return { card, weights };
};

const isCard = (card: unknown): card is LanguageCard => isClassifierCard(card) && "entries" in card;

/**
 * Weights of the language model: for each known n-gram, the few languages it favors or disfavors. An entry packs a
 * label (high byte) and a signed weight (low byte); the other languages have weight 0.
 */
export interface LanguageWeights {
  /** Ascending. */
  readonly buckets: Uint32Array;
  /** Row `i` consists of `starts[i]` to `starts[i + 1]` of `entries`. */
  readonly starts: Uint32Array;
  readonly entries: Uint16Array;
  /** Value of one unit of a weight. */
  readonly scale: number;
  /** Added to the score of each label. */
  readonly biases: Float32Array;
}

/** Packs an entry of a label below 256 and a weight from -128 to 127. */
export const packEntry = (label: number, weight: number): number => (label << 8) | (weight & 0xff);

export const labelOf = (entry: number): number => entry >>> 8;

export const weightOf = (entry: number): number => (entry << 24) >> 24;

/**
 * Layout of the (gzipped) file, little-endian: uint32 counts of rows, entries, labels and bytes of the next part;
 * float32 scale; bucket numbers as varints of their differences; row lengths, labels and weights of the entries, one
 * byte each; biases.
 */
const HEADER_BYTES = 20;

/** Serializes weights; `decodeWeights` is the inverse. */
export const encodeLanguageWeights = ({ buckets, starts, entries, scale, biases }: LanguageWeights): Buffer => {
  const gaps = encodeGaps(buckets);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(buckets.length, 0);
  header.writeUInt32LE(entries.length, 4);
  header.writeUInt32LE(biases.length, 8);
  header.writeUInt32LE(gaps.length, 12);
  header.writeFloatLE(scale, 16);
  const tail = Buffer.alloc(biases.length * 4);
  biases.forEach((bias, i) => tail.writeFloatLE(bias, i * 4));
  return Buffer.concat([
    header,
    gaps,
    Uint8Array.from(buckets, (_, row) => (starts[row + 1] ?? 0) - (starts[row] ?? 0)),
    Uint8Array.from(entries, labelOf),
    Uint8Array.from(entries, (entry) => entry & 0xff),
    tail,
  ]);
};

/** Reads serialized weights; throws a RangeError if their length does not match their header. */
export const decodeWeights = (bytes: Buffer): LanguageWeights => {
  const rows = bytes.readUInt32LE(0);
  const size = bytes.readUInt32LE(4);
  const labels = bytes.readUInt32LE(8);
  const lengthsAt = HEADER_BYTES + bytes.readUInt32LE(12);
  const labelsAt = lengthsAt + rows;
  const weightsAt = labelsAt + size;
  const biasesAt = weightsAt + size;
  if (bytes.length !== biasesAt + labels * 4) throw new RangeError("language weights have the wrong length");
  const starts = new Uint32Array(rows + 1);
  for (let row = 0; row < rows; row++) starts[row + 1] = (starts[row] ?? 0) + (bytes[lengthsAt + row] ?? 0);
  if (starts[rows] !== size) throw new RangeError("language weights have rows of the wrong length");
  return {
    buckets: decodeGaps(bytes.subarray(HEADER_BYTES, lengthsAt), rows),
    starts,
    entries: Uint16Array.from({ length: size }, (_, i) =>
      packEntry(bytes[labelsAt + i] ?? 0, bytes[weightsAt + i] ?? 0),
    ),
    scale: bytes.readFloatLE(16),
    biases: Float32Array.from({ length: labels }, (_, i) => bytes.readFloatLE(biasesAt + i * 4)),
  };
};
