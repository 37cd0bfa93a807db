import { describe, expect, it } from "vitest";
import { BatchCutter, splitBatches } from "./pool-batches.js";

describe("splitBatches", () => {
  it("keeps every text, and says where it stood", () => {
    const texts = Array.from({ length: 1000 }, (_, i) => `${"x".repeat((i * 7) % 90)}${i}`);
    const batches = splitBatches(texts);
    const positions = batches.flatMap((batch) => batch.positions);
    expect([...positions].sort((a, b) => a - b)).toEqual([...texts.keys()]);
    for (const batch of batches) expect(batch.texts).toEqual(batch.positions.map((position) => texts[position]));
  });

  it("puts texts of similar length together, the longest first", () => {
    const texts = Array.from({ length: 100 }, (_, i) => "x".repeat((i * 37) % 100));
    const lengths = splitBatches(texts).map((batch) => batch.texts.map((text) => text.length));
    expect(lengths.flat()).toEqual(Array.from({ length: 100 }, (_, i) => 99 - i));
    expect(lengths.map(({ length }) => length)).toEqual([32, 32, 32, 4]);
  });

  it("keeps texts of one length in their order", () => {
    expect(splitBatches(["b", "a", "long", "c"])[0]?.texts).toEqual(["long", "b", "a", "c"]);
  });

  it("makes small batches of long texts and sends a huge one alone", () => {
    const sizes = splitBatches(["a", "b".repeat(100_000), "c", "d", "d", "d", "d"]).map(({ texts }) => texts.length);
    expect(sizes).toEqual([1, 6]);
    expect(splitBatches(Array.from({ length: 10 }, () => "x".repeat(6000))).map(({ texts }) => texts.length)).toEqual([
      3, 3, 3, 1,
    ]);
  });

  it("makes nothing of nothing", () => {
    expect(splitBatches([])).toEqual([]);
  });
});

it("cuts a batch of the longest or of the shortest texts, until none is left", () => {
  const cutter = new BatchCutter(["a".repeat(9_000), "bb", "c".repeat(5_000), "d", "eee"]);
  const next = (size: { texts: number; characters: number; shortest?: boolean }) => cutter.next(size).positions;
  expect(next({ texts: 2, characters: 500, shortest: true })).toEqual([3, 1]);
  expect(next({ texts: 4, characters: 1_000 })).toEqual([0]);
  expect(next({ texts: 2, characters: 500, shortest: true })).toEqual([4]);
  expect(next({ texts: 2, characters: 500, shortest: true })).toEqual([2]);
  expect(cutter.isDone).toBe(true);
});
