import { describe, expect, it } from "vitest";
import { createUnigram } from "./unigram.js";

const vocab = [
  ["<unk>", 0],
  ["▁un", -5],
  ["▁", -2],
  ["believ", -6],
  ["able", -3],
  ["believable", -12],
  ["a", -1],
  ["b", -1],
  ["😀", -4],
] as const;
const { split, idOf } = createUnigram({ model: { unk_id: 0, vocab } });
const read = (word: string): string[] => split(word).map((id) => vocab[id]?.[0] ?? "?");

describe("createUnigram", () => {
  it("takes the likeliest of all ways to spell a word", () => {
    expect(read("▁unbelievable")).toEqual(["▁un", "believ", "able"]);
    expect(read("ab")).toEqual(["a", "b"]);
  });

  it("reads what it does not know character by character, and the rest all the same", () => {
    expect(read("a漢b")).toEqual(["a", "<unk>", "b"]);
    expect(read("😀😂a")).toEqual(["😀", "<unk>", "a"]);
  });

  it("has nothing for nothing, and finds single pieces", () => {
    expect(split("")).toEqual([]);
    expect([idOf("able"), idOf("ab")]).toEqual([4, undefined]);
  });
});
