import { describe, expect, it } from "vitest";
import { createDocument } from "../../text/document.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";
import { SENTIMENT_REAL_LABELS } from "./analysis.js";

describe("sentiment-real", () => {
  const analyzer = createLinearAnalyzer(SENTIMENT_REAL_LABELS);

  it.each([
    ["I love this, thank you so much!", "pleasantness"],
    ["I am so scared of the dark", "fear"],
    ["I am furious at you", "anger"],
    ["He died and I cried all night 😭", "sadness"],
    ["I'm so sorry, it was my fault and I feel terrible", "dislike_self"],
  ])("reads %j as %s", (text, value) => {
    expect(analyzer.analyze(createDocument(text), { explain: false }).value).toBe(value);
  });

  it("is unsure about a text without emotion", () => {
    expect(
      analyzer.analyze(createDocument("The meeting is on Monday at the town hall."), { explain: false }).prob,
    ).toBeLessThan(0.4);
  });
});
