import { expect, it } from "vitest";
import { analyzeInline } from "../../pool/analyze-texts.js";

/** The linear model has most of the weight in spam-detection, and words of its own that speak for spam or against it. */
const TEXTS = [
  "Thanks for the lift home yesterday, see you at practice on Thursday.",
  "Congratulations, you won a prize. Claim it now at https://prize.example.com/claim",
  "check out my channel and subscribe please, new videos every day",
  "The meeting is moved to Monday, call me if you can't make it.",
  "I'm at the station, where are you? Train leaves in ten minutes.",
  "URGENT! Your account was suspended, reply YES to 80082 to win 500 pounds cash",
];

const explained = async (texts: readonly string[]) =>
  (await analyzeInline(texts, ["spam-detection"], { explain: true })).map(({ results }) => results["spam-detection"]!);

it("explains spam by what decided it: without the strongest span the label is less likely", async () => {
  const found = await explained(TEXTS);
  const rest = TEXTS.map((text, i) => text.replace(found[i]?.explanation?.spans[0]?.text ?? "", ""));
  const again = await explained(rest);
  const lowered = found.map(({ value, prob }, i) => (again[i]?.explanation?.probabilities[value] ?? 1) < prob);
  expect(lowered).toEqual(TEXTS.map(() => true));
});
