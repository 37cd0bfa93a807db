import { describe, expect, it } from "vitest";
import { createDocument } from "../../text/document.js";
import { createEncoderAnalyzer } from "../../engines/encoder/classifier.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";
import { SPAM_DETECTION_LABELS } from "./analysis.js";

const LINKED: readonly (readonly [string, string])[] = [
  ["Staples to close 140 stores this year https://t.co/r7IC4Iaq3z", "ham"],
  ["Here's a picture of our dog on the beach https://t.co/xkH6cN1zvP", "ham"],
  ["Check out: I really liked the pasta we had last night", "ham"],
  ["The food bank needs volunteers on Saturday, please come and help https://example.org/food", "ham"],
  ["We miss you! Do you want to come over for dinner on Friday? Call me", "ham"],
  ["Check out my channel and subscribe please!! https://youtu.be/dQw4w9WgXcQ", "spam"],
  ["WINNER!! Claim your free prize now at http://example.com/prize, text WIN to 80082", "spam"],
];

describe.each([
  ["fast", () => createLinearAnalyzer(SPAM_DETECTION_LABELS)],
  ["accurate", () => createEncoderAnalyzer(SPAM_DETECTION_LABELS)],
] as const)("spam-detection, engine %s", (_, create) => {
  it.each(LINKED)("takes neither a link nor a call for spam by itself: %s", async (text, value) => {
    const analyzer = create();
    const document = createDocument(text);
    await analyzer.prepare?.([document], { explain: false });
    expect(analyzer.analyze(document, { explain: false }).value).toBe(value);
  });
});

describe("spam-detection", () => {
  const analyzer = createLinearAnalyzer(SPAM_DETECTION_LABELS);

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
