import { expect, it } from "vitest";
import { mergeOverTime } from "./detections.js";

const at = (atMs: number, ...detections: [value: string, prob: number][]) => ({
  atMs,
  untilMs: atMs + 2000,
  detections: detections.map(([value, prob]) => ({ value, prob })),
});

it("names each value once, the surest first", () => {
  const merged = mergeOverTime([at(0, ["cat", 0.5], ["dog", 0.7], ["dog", 0.6]), at(2000, ["cat", 0.9])]);
  expect(merged.map(({ value }) => value)).toEqual(["cat", "dog"]);
});

it("joins frames that follow each other, also over one in which the thing was lost", () => {
  const frames = [at(0, ["cat", 0.9]), at(2000, ["cat", 0.8]), at(4000), at(6000, ["cat", 0.9])];
  expect(mergeOverTime(frames)[0]?.moments).toEqual([{ start: 0, end: 8 }]);
});

it("keeps moments apart between which something else was shown", () => {
  const frames = [at(0, ["cat", 0.9]), at(2000), at(4000), at(6040, ["cat", 0.9])];
  expect(mergeOverTime(frames)[0]?.moments).toEqual([
    { start: 0, end: 2 },
    { start: 6, end: 8 },
  ]);
});

it("takes the word of the best frame when others confirm it", () => {
  const frames = [at(0, ["cat", 0.6]), at(2000, ["cat", 0.9]), at(4000, ["cat", 0.5]), at(6000)];
  expect(mergeOverTime(frames)[0]?.prob).toBe(0.9);
});

it("doubts what one frame of many shows, a guess more than what is almost sure", () => {
  const frames = [at(0, ["guess", 0.5], ["sure", 0.98]), at(2000), at(4000), at(6000)];
  const [sure, guess] = mergeOverTime(frames);
  expect(sure?.prob).toBeGreaterThan(0.95);
  expect(guess?.prob).toBeLessThan(0.35);
});

it("does not doubt the only frame there is", () => {
  expect(mergeOverTime([at(0, ["cat", 0.5])])).toEqual([{ value: "cat", prob: 0.5, moments: [{ start: 0, end: 2 }] }]);
});

it("has nothing to say of nothing", () => {
  expect(mergeOverTime([])).toEqual([]);
});
