import { describe, expect, it } from "vitest";
import { splitBatches } from "./pool-batches.js";

describe("splitBatches", () => {
  it("keeps every text, in order", () => {
    const texts = Array.from({ length: 1000 }, (_, i) => `text ${i}`);
    const batches = splitBatches(texts);
    expect(batches.flatMap((batch) => batch.texts)).toEqual(texts);
    for (const { start, texts: part } of batches) expect(part[0]).toBe(texts[start]);
  });

  it("makes small batches of long texts and sends a huge one alone", () => {
    const sizes = splitBatches(["a", "b".repeat(100_000), "c", ..."d".repeat(4)].map((text) => text)).map(
      ({ texts }) => texts.length,
    );
    expect(sizes).toEqual([1, 1, 5]);
    expect(splitBatches(Array.from({ length: 10 }, () => "x".repeat(20_000))).map(({ texts }) => texts.length)).toEqual(
      [3, 3, 3, 1],
    );
  });

  it("makes nothing of nothing", () => {
    expect(splitBatches([])).toEqual([]);
  });
});
