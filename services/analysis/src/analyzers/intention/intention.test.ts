import { describe, expect, it } from "vitest";
import { createDocument } from "../../text/document.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";
import { INTENTION_LABELS } from "./analysis.js";

describe("intention", () => {
  const analyzer = createLinearAnalyzer(INTENTION_LABELS);

  it.each([
    ["The meeting was held on Monday at the town hall.", "assertion"],
    ["This is the worst phone I ever had, I hate it", "valuation"],
    ["I take back what I said, I was wrong", "palinode"],
    ["I'm so sorry, it was my fault and I feel terrible", "contrition"],
    ["It will rain tomorrow in most of the country", "forecast"],
    ["I hope we will win tomorrow", "wish"],
    ["You should add an option to export the list as a file.", "proposal"],
    ["Check out my channel and subscribe please!!", "inducement"],
    ["What time is it?", "none"],
  ])("reads %j as %s", (text, value) => {
    expect(analyzer.analyze(createDocument(text), { explain: false }).value).toBe(value);
  });
});
