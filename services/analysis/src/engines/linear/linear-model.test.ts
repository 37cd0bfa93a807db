import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CARD_FILE, WEIGHTS_FILE } from "../../models/shipped-models.js";
import { argmax } from "../../text/argmax.js";
import { softmax } from "../../text/classification.js";
import { BUCKETS } from "../../text/ngrams/buckets.js";
import { modelFolder } from "./loaded-model.js";
import { decodeWeights, encodeWeights, readModel, type Weights } from "./linear-model.js";
import { createScorer } from "./scorer.js";

describe("readModel", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "hourglass-model-"));
    cpSync(modelFolder("spam-detection"), folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = () => readModel(pathToFileURL(`${folder}/`));

  it("reads a whole model", () => {
    expect(read().card.labels).toEqual(["spam", "ham"]);
  });

  it("names a model whose weights are damaged", () => {
    const file = join(folder, WEIGHTS_FILE);
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    expect(read).toThrow(/model of spam-detection is damaged: weights.bin.gz has checksum/);
  });

  it("names a file that is missing", () => {
    rmSync(join(folder, WEIGHTS_FILE));
    expect(read).toThrow(/cannot read the model file .*weights\.bin\.gz/);
  });

  it("refuses a model of another featurizer", () => {
    const file = join(folder, CARD_FILE);
    writeFileSync(file, readFileSync(file, "utf8").replace(/"featurizer": \d+/, '"featurizer": 0'));
    expect(read).toThrow(/featurizer 0.*train it again/);
  });
});

const weights: Weights = {
  buckets: Uint32Array.of(0, 5, 70_000, BUCKETS - 1),
  rows: Int8Array.of(1, -1, 127, -127, 3, 4, -5, 6),
  scales: Float32Array.of(0.5, 0.25),
  dense: Float32Array.of(0.1, -0.1),
};

describe("weights", () => {
  it("come back from bytes as they were", () => {
    expect(decodeWeights(encodeWeights(weights))).toEqual(weights);
  });

  it("refuse bytes that end early", () => {
    expect(() => decodeWeights(encodeWeights(weights).subarray(0, -1))).toThrow(RangeError);
  });

  it("score the features they know and ignore the others", () => {
    const score = createScorer(weights);
    const features = { buckets: Uint32Array.of(5, 6, BUCKETS), values: Float32Array.of(2, 9, 1) };
    const [first = 0, second = 0] = score(features);
    expect(first).toBeCloseTo(127 * 2 * 0.5 + 0.1, 5);
    expect(second).toBeCloseTo(-127 * 2 * 0.25 - 0.1, 5);
  });
});

describe("softmax", () => {
  it("sums to one, keeps the order and softens with temperature", () => {
    const scores = Float64Array.of(1000, 999, -1000);
    const sharp = softmax(scores);
    const soft = softmax(scores, 5);
    expect(sharp.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 10);
    expect(argmax(sharp)).toBe(0);
    expect(soft[0]).toBeLessThan(sharp[0] ?? 0);
  });
});
