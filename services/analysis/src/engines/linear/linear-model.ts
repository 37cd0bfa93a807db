import {
  CARD_FILE,
  type ClassifierCard,
  isClassifierCard,
  readCardFile,
  readWeights,
} from "../../models/shipped-models.js";
import { decodeGaps, encodeGaps } from "../../text/ngrams/buckets.js";
import { DENSE_FEATURES, FEATURIZER } from "../../text/ngrams/features.js";

/** Contents of `model.json`; the weights are in the same folder. */
export interface ModelCard extends ClassifierCard {
  /** The training parameters, for reproduction. */
  training: Record<string, string | number | boolean>;
}

/** A model in memory. */
export interface LinearModel {
  readonly card: ModelCard;
  readonly weights: Weights;
}

/** Reads `model.json` of a model folder. */
const readCard = (folder: URL): ModelCard => {
  const card: unknown = readCardFile(folder);
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
  const weights = decodeWeights(readWeights(folder, card, `the model of ${card.type}`));
  if (
    weights.scales.length !== card.labels.length ||
    weights.dense.length !== DENSE_FEATURES.length * card.labels.length
  ) {
    throw new Error(`the model of ${card.type} does not fit its card: labels or dense features differ`);
  }
  return { card, weights };
};

const isCard = (card: unknown): card is ModelCard => isClassifierCard(card) && "training" in card;

/**
 * Weights of a linear classifier: one row per used n-gram bucket, one column per label. Rows are int8, scaled per
 * column; the few dense features keep full precision because each of them affects every text.
 */
export interface Weights {
  /** Ascending. */
  readonly buckets: Uint32Array;
  /** `buckets.length` rows of one value per label. */
  readonly rows: Int8Array;
  /** Value of one unit of a row, per label. */
  readonly scales: Float32Array;
  /** One row of one value per label for each dense feature. */
  readonly dense: Float32Array;
}

/**
 * Layout of the (gzipped) file, little-endian: uint32 counts of rows, labels, dense features and bytes of the next
 * part; bucket numbers as varints of their differences; scales; dense weights; rows column by column, which compresses
 * best.
 */
const HEADER_BYTES = 16;

/** Serializes weights; `decodeWeights` is the inverse. */
export const encodeWeights = ({ buckets, rows, scales, dense }: Weights): Buffer => {
  const gaps = encodeGaps(buckets);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(buckets.length, 0);
  header.writeUInt32LE(scales.length, 4);
  header.writeUInt32LE(dense.length / scales.length, 8);
  header.writeUInt32LE(gaps.length, 12);
  return Buffer.concat([
    header,
    gaps,
    floatsToBytes(scales),
    floatsToBytes(dense),
    Buffer.from(transpose(rows, buckets.length, scales.length).buffer),
  ]);
};

/** Reads serialized weights; throws a RangeError if the bytes end early. */
export const decodeWeights = (bytes: Buffer): Weights => {
  const rowCount = bytes.readUInt32LE(0);
  const labelCount = bytes.readUInt32LE(4);
  const denseCount = bytes.readUInt32LE(8);
  const scalesAt = HEADER_BYTES + bytes.readUInt32LE(12);
  const denseAt = scalesAt + labelCount * 4;
  const rowsAt = denseAt + denseCount * labelCount * 4;
  if (bytes.length !== rowsAt + rowCount * labelCount) throw new RangeError("weights have the wrong length");
  const columns = new Int8Array(bytes.buffer, bytes.byteOffset + rowsAt, rowCount * labelCount);
  return {
    buckets: decodeGaps(bytes.subarray(HEADER_BYTES, scalesAt), rowCount),
    rows: transpose(columns, labelCount, rowCount),
    scales: bytesToFloats(bytes, scalesAt, labelCount),
    dense: bytesToFloats(bytes, denseAt, denseCount * labelCount),
  };
};

const floatsToBytes = (floats: Float32Array): Buffer => {
  const bytes = Buffer.alloc(floats.length * 4);
  floats.forEach((value, i) => bytes.writeFloatLE(value, i * 4));
  return bytes;
};

const bytesToFloats = (bytes: Buffer, at: number, count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => bytes.readFloatLE(at + i * 4));

const transpose = (values: Int8Array, rows: number, columns: number): Int8Array<ArrayBuffer> => {
  const turned = new Int8Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      turned[column * rows + row] = values[row * columns + column] ?? 0;
    }
  }
  return turned;
};
