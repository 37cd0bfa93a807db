import { expect, it } from "vitest";
import { featurize } from "../../text/ngrams/features.js";
import { modelOf } from "./loaded-model.js";

it("loads a model once for all analyses", () => {
  expect(modelOf("sentiment-simple")).toBe(modelOf("sentiment-simple"));
  expect(modelOf("sentiment-simple")).not.toBe(modelOf("sentiment-real"));
});

it("scores a text once for all analyses, and every text by its own words", () => {
  const { score } = modelOf("sentiment-simple");
  const [good, bad] = [featurize("a lovely day"), featurize("an awful day")];
  expect(score(good)).toBe(score(good));
  expect(score(good)).not.toEqual(score(bad));
});
