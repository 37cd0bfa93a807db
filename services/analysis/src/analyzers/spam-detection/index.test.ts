import { describe, expect, it } from "vitest";
import { createDocument } from "../../document.js";
import { createSpamDetection } from "./index.js";

describe("spam-detection", () => {
  const analyzer = createSpamDetection();

  it.each([
    ["WINNER!! Claim your free prize now, text WIN to 80082", "spam"],
    ["Check out my channel and subscribe please!!", "spam"],
    ["ok see you at home tonight", "ham"],
    ["This song never gets old, love it", "ham"],
    ["New phone arrived today, the camera is great http://example.com/p/1", "ham"],
  ])("reads %j as %s", (text, value) => {
    expect(analyzer.analyze(createDocument(text), { explain: false }).value).toBe(value);
  });

  it("is never less sure than a coin", () => {
    expect(analyzer.analyze(createDocument(""), { explain: false }).prob).toBeGreaterThanOrEqual(0.5);
  });
});
