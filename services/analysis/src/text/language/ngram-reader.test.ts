import { describe, expect, it } from "vitest";
import { clean } from "./letters.js";
import { NgramReader } from "./ngram-reader.js";

const ngrams = (text: string): number[] => {
  const reader = new NgramReader();
  reader.read(clean(text));
  return [...reader.buckets.subarray(0, reader.size)];
};

describe("NgramReader", () => {
  it("reads the runs of one to five letters of a word, with its borders, and the word", () => {
    // " the ": 3 + 4 + 3 + 2 + 1 runs of 1 to 5 (a border alone does not count); longer words also count as a whole.
    expect(ngrams("the")).toHaveLength(13);
    expect(ngrams("they")).toHaveLength(4 + 5 + 4 + 3 + 2 + 1);
  });

  it("does not mind case, elongation beyond two, digits, punctuation, or the kind of apostrophe", () => {
    expect(ngrams("COOOOOL!!! 2day")).toEqual(ngrams("cool day"));
    expect(ngrams("don\u2019t")).toEqual(ngrams("'don't'"));
  });

  it("says where words begin and how many letters there are", () => {
    const reader = new NgramReader();
    reader.read("the day, the");
    expect(reader.wordStarts).toEqual([0, 13, 26]);
    expect(reader.letters).toBe(9);
    reader.read("");
    expect([reader.size, reader.letters, reader.wordStarts.length]).toEqual([0, 0, 0]);
  });

  it("cuts runs of letters that never end, and grows with the text", () => {
    const endless = ngrams("abcdefghij".repeat(90));
    expect(endless.length).toBeGreaterThan(3000);
    const reader = new NgramReader();
    reader.read("abcdefghij".repeat(2000));
    expect(reader.size).toBeGreaterThan(80_000);
  });
});

describe("clean", () => {
  it("samples a long text evenly", () => {
    const text = `${"a".repeat(10_000)}${"b".repeat(10_000)}`;
    const part = clean(text);
    expect(part.length).toBeLessThan(1100);
    expect(part.split("a").length).toBeGreaterThan(350);
    expect(part.split("b").length).toBeGreaterThan(350);
  });

  it("drops addresses, handles and entities and keeps the words of hashtags", () => {
    expect(clean("RT @you: see https://a.example/b?c=d www.e.example me@f.example &amp; #Fun").split(/\s+/)).toEqual([
      "rt",
      ":",
      "see",
      "#fun",
    ]);
  });
});
