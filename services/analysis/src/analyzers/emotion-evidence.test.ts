import { expect, it } from "vitest";
import { analyzeInline } from "../pool/analyze-texts.js";
import { showsEmotion } from "./emotion-evidence.js";

const emotion = { value: "joy", prob: 0.6 };

it.each([
  ["a positive text", { sentiment: { value: "positive", prob: 0.7 }, emotion }, true],
  ["a neutral text, however likely the emotion", { sentiment: { value: "neutral", prob: 0.4 }, emotion }, false],
  [
    "a text about which both are unsure",
    { sentiment: { value: "negative", prob: 0.36 }, emotion: { value: "fear", prob: 0.2 } },
    false,
  ],
  ["a text of which only the emotion is known", { emotion }, false],
  ["a text of which nothing is known", {}, false],
])("judges %s", (_, results, shown) => {
  expect(showsEmotion(results)).toBe(shown);
});

it("finds no emotion in plain news, and the one in a sentence that has it", async () => {
  const texts = ["The council votes on the second line in March.", "I love my new bike, best day of the year!"];
  const outcomes = await analyzeInline(texts, ["sentiment-simple", "sentiment-real"]);
  const shown = outcomes.map(({ results }) =>
    showsEmotion({ sentiment: results["sentiment-simple"], emotion: results["sentiment-real"] }),
  );
  expect(shown).toEqual([false, true]);
});
