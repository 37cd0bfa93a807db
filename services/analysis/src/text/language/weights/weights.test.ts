import { describe, expect, it } from "vitest";
import { NgramReader } from "../ngram-reader.js";
import { createNgramCounter, scoresOf } from "../scorer.js";
import { decodeWeights, encodeWeights, labelOf, type LanguageWeights, packEntry, weightOf } from "./weights.js";

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
    expect(decodeWeights(encodeWeights(SPARSE))).toEqual(SPARSE);
  });

  it("refuse bytes that end early", () => {
    expect(() => decodeWeights(encodeWeights(SPARSE).subarray(0, -1))).toThrow(RangeError);
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
