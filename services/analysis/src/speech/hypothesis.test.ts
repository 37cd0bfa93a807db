import { expect, it } from "vitest";
import { isCredible, loopStart } from "./hypothesis.js";

it("finds where a hypothesis begins to go in circles", () => {
  expect(loopStart([1, 2, 3, 7, 7, 7, 7])).toBe(4);
  expect(loopStart([1, 5, 6, 5, 6, 5, 6, 5, 6])).toBe(3);
});

it("lets people repeat themselves three times", () => {
  expect(loopStart([7, 7, 7])).toBeUndefined();
  expect(loopStart([1, 2, 3, 1, 2, 3, 1, 2, 3])).toBeUndefined();
});

it("does not believe what the network is not sure of, or nothing at all", () => {
  expect(isCredible({ tokens: [1, 2], logProbs: [-0.1, -0.4] })).toBe(true);
  expect(isCredible({ tokens: [1, 2], logProbs: [-0.9, -0.7] })).toBe(false);
  expect(isCredible({ tokens: [1, 2], logProbs: [-2, -1.5] })).toBe(false);
  expect(isCredible({ tokens: [], logProbs: [] })).toBe(false);
});
