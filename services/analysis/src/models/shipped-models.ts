import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** Folder of the shipped weights, cards and word lists, next to `src` and `dist`. */
const MODELS = new URL("../../models/", import.meta.url);

/** URL of a shipped file, for example `encoder/model.onnx`, or of a folder if the path ends with a slash. */
export const shipped = (path: string): URL => new URL(path, MODELS);

/** The card of a shipped model. */
export const CARD_FILE = "model.json";
/** Its packed weights. */
export const WEIGHTS_FILE = "weights.bin.gz";

/** Contents of a card that every classifier of n-grams has. */
export interface ClassifierCard {
  type: string;
  version: string;
  /** Version of the featurizer that the model was trained with. */
  featurizer: number;
  labels: string[];
  temperature: number;
  /** Of the weights file on disk. */
  sha256: string;
  rows: number;
  /** Figures on the development data; `npm run evaluate` compares later runs with them. */
  dev: Record<string, number>;
}

/** Reads the card in a folder. Throws with its path if it is missing or no JSON. */
export const readCardFile = (folder: URL): unknown => JSON.parse(readModelFile(folder, CARD_FILE).toString("utf8"));

/** Whether a card has the fields of every classifier of n-grams. */
export const isClassifierCard = (card: unknown): card is ClassifierCard =>
  typeof card === "object" &&
  card !== null &&
  "labels" in card &&
  Array.isArray(card.labels) &&
  "sha256" in card &&
  typeof card.sha256 === "string" &&
  "temperature" in card &&
  typeof card.temperature === "number" &&
  "featurizer" in card &&
  typeof card.featurizer === "number";

/** The unpacked weights in a folder. Throws if they are missing, or are not those of the card; `name` is the model's. */
export const readWeights = (folder: URL, { sha256 }: { readonly sha256: string }, name: string): Buffer => {
  const packed = readModelFile(folder, WEIGHTS_FILE);
  const found = createHash("sha256").update(packed).digest("hex");
  if (found !== sha256) {
    throw new Error(
      `${name} is damaged: ${WEIGHTS_FILE} has checksum ${found.slice(0, 12)}…, expected ${sha256.slice(0, 12)}…`,
    );
  }
  return gunzipSync(packed);
};

const readModelFile = (folder: URL, file: string): Buffer => {
  try {
    return readFileSync(new URL(file, folder));
  } catch (cause) {
    throw new Error(`cannot read the model file ${new URL(file, folder).pathname}`, { cause });
  }
};

/**
 * Loads the value of a key on first use and caches it; concurrent calls share one load. After a failure the next call
 * retries.
 */
export const keepLoaded = <K, T>(load: (key: K) => Promise<T>): ((key: K) => Promise<T>) => {
  const loaded = new Map<K, Promise<T>>();
  return (key) => {
    const known = loaded.get(key);
    if (known !== undefined) return known;
    const loading = load(key);
    loaded.set(key, loading);
    loading.catch(() => loaded.delete(key));
    return loading;
  };
};
