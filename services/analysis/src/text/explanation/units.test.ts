import { describe, expect, it } from "vitest";
import { tokenize } from "../tokenizer.js";
import { groupEvenly, rangeOf, spanned, textWithout, type Unit, unitsOf } from "./units.js";

const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  but: "CCONJ",
  for: "ADP",
  i: "PRON",
  is: "AUX",
  no: "DET",
  not: "PART",
  the: "DET",
  to: "PART",
  was: "AUX",
  you: "PRON",
};

const posIn = (text: string) => {
  const tokens = tokenize(text);
  return (at: number): string => FUNCTION_WORDS[tokens[at]?.text.toLowerCase() ?? ""] ?? "NOUN";
};

const cut = (text: string): Unit[] => unitsOf(tokenize(text), posIn(text));

const shown = (text: string): string[] =>
  cut(text).map((unit) => {
    const { start, end } = rangeOf(tokenize(text), posIn(text), unit);
    return text.slice(start, end);
  });

describe("the units of a text", () => {
  it.each([
    ["Great support, thank you so much!", ["Great", "support", "thank", "you so", "much"]],
    ["Love the new app, works perfectly", ["Love", "new", "app", "works", "perfectly"]],
    ["I love you", ["I love you"]],
    ["the food was not good, but no problem", ["food", "was not good", "no problem"]],
    ["don\u2019t go", ["don\u2019t", "go"]],
    ["(win \u00a3500 now) 🎉", ["win", "500", "now", "🎉"]],
    ["I", ["I"]],
    ["for you\nyou", ["you", "you"]],
    ["?!", []],
    ["", []],
  ])("of %j are its content words with what belongs to them", (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  it("are left out with their marks, and leave what stresses the text", () => {
    const text = "Great support, thank you!";
    const [great, support, thank] = cut(text);
    const without = (units: (Unit | undefined)[]): string =>
      textWithout(
        text,
        tokenize(text),
        units.flatMap((unit) => unit ?? []),
      );
    expect(without([support])).toBe("Great  thank you!");
    expect(without([great, support, thank])).toBe("  !");
    expect(without([])).toBe(text);
  });

  it("are grouped evenly", () => {
    const groups = groupEvenly(cut("one two three four five"), 2);
    expect(groups.map((group) => group.length)).toEqual([3, 2]);
    expect(groups.map(spanned)).toEqual([
      { from: 0, to: 3 },
      { from: 3, to: 5 },
    ]);
    expect(groupEvenly(cut("one two"), 9)).toHaveLength(2);
  });
});
