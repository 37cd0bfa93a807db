import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CARD_FILE, WEIGHTS_FILE } from "../../models/shipped-models.js";
import { createNgramCounter, scoresOf } from "./guess.js";
import {
  decodeWeights,
  encodeLanguageWeights,
  labelOf,
  LANGUAGE_MODEL_FOLDER,
  type LanguageWeights,
  packEntry,
  readLanguageModel,
  weightOf,
} from "./language-model.js";
import { NgramReader } from "./ngram-reader.js";

describe("readLanguageModel", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "hourglass-language-"));
    cpSync(LANGUAGE_MODEL_FOLDER, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = () => readLanguageModel(pathToFileURL(`${folder}/`));
  const alterCard = (from: RegExp, to: string): void => {
    const file = join(folder, CARD_FILE);
    writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
  };

  it("reads a whole model", () => {
    expect(read().card.labels).toHaveLength(75);
  });

  it("names weights that are damaged", () => {
    const file = join(folder, WEIGHTS_FILE);
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    expect(read).toThrow(/language model is damaged: weights.bin.gz has checksum/);
  });

  it("names a file that is missing", () => {
    rmSync(join(folder, WEIGHTS_FILE));
    expect(read).toThrow(/cannot read the model file .*weights\.bin\.gz/);
  });

  it("refuses a model of another reader, and one whose labels do not fit", () => {
    alterCard(/"zu"\s*\]/, '"zu", "xx"]');
    expect(read).toThrow(/number of labels differs/);
    alterCard(/"featurizer": \d+/, '"featurizer": 0');
    expect(read).toThrow(/featurizer 0.*train it again/);
  });
});

/** Weights that give every n-gram of a text the same row. */
const weightsOf = (text: string, row: readonly (readonly [number, number])[], labels: number): LanguageWeights => {
  const reader = new NgramReader();
  reader.read(text);
  const buckets = Uint32Array.from(new Set(reader.buckets.subarray(0, reader.size))).sort();
  return {
    buckets,
    starts: Uint32Array.from({ length: buckets.length + 1 }, (_, i) => i * row.length),
    entries: Uint16Array.from({ length: buckets.length * row.length }, (_, i) => {
      const [label = 0, weight = 0] = row[i % row.length] ?? [];
      return packEntry(label, weight);
    }),
    scale: 0.5,
    biases: Float32Array.from({ length: labels }, (_, i) => i / 4),
  };
};

const SPARSE = weightsOf("hello", [[0, 127], [2, -127]], 3); // prettier-ignore

describe("language weights", () => {
  it("pack a label and a signed weight into one entry", () => {
    const entry = packEntry(255, -127);
    expect([labelOf(entry), weightOf(entry)]).toEqual([255, -127]);
  });

  it("come back from bytes as they were", () => {
    expect(decodeWeights(encodeLanguageWeights(SPARSE))).toEqual(SPARSE);
  });

  it("refuse bytes that end early", () => {
    expect(() => decodeWeights(encodeLanguageWeights(SPARSE).subarray(0, -1))).toThrow(RangeError);
  });
});

describe("createNgramCounter", () => {
  const reader = new NgramReader();

  it("adds up the n-grams it knows and leaves the others out", () => {
    reader.read("hello");
    const alone = createNgramCounter(SPARSE)(reader);
    const root = Math.sqrt(alone.known);
    expect(alone.known).toBe(reader.size);
    expect([...scoresOf(alone, SPARSE)]).toEqual(
      [127 * 0.5 * root, 0.25, -127 * 0.5 * root + 0.5].map((v): unknown => expect.closeTo(v, 3)),
    );
    reader.read("hello xyz");
    const { sums, known } = createNgramCounter(SPARSE)(reader);
    expect({ sums, known }).toEqual({ sums: alone.sums, known: alone.known });
  });

  it("scores rows alike whether they name few labels or many", () => {
    const labels = 60;
    const row = Array.from({ length: labels }, (_, label) => [label, label - 30] as const);
    reader.read("hello");
    const weights = weightsOf("hello", row, labels);
    const sums = createNgramCounter(weights)(reader);
    expect([...scoresOf(sums, weights)]).toEqual(
      row.map(([label, w]): unknown => expect.closeTo(w * 0.5 * Math.sqrt(sums.known) + label / 4, 3)),
    );
  });

  it("gives a text without a known n-gram the biases", () => {
    reader.read("");
    const sums = createNgramCounter(SPARSE)(reader);
    expect(sums.known).toBe(0);
    expect(scoresOf(sums, SPARSE)).toEqual(Float64Array.of(0, 0.25, 0.5));
  });
});
