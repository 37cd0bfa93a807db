import { expect, it } from "vitest";
import { wordErrors, wordsOf } from "./speech-evaluation.js";

it("compares words without marks, capitals and digits", () => {
  expect(wordsOf("It’s 9 o'clock, Anna - hurry!")).toEqual(["it's", "nine", "o'clock", "anna", "hurry"]);
});

it("counts words that were changed, lost and added", () => {
  expect(wordErrors(["a", "b", "c"], ["a", "b", "c"])).toBe(0);
  expect(wordErrors(["a", "b", "c"], ["a", "x", "c"])).toBe(1);
  expect(wordErrors(["a", "b", "c"], ["a", "c"])).toBe(1);
  expect(wordErrors(["a", "b", "c"], ["a", "b", "x", "y", "c"])).toBe(2);
  expect(wordErrors(["a", "b"], [])).toBe(2);
  expect(wordErrors([], ["a"])).toBe(1);
});
