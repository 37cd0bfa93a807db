import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MalformedJson, parseJson } from "./parse.js";

function sentenceFor(text: string): string {
  try {
    parseJson(text, "The body");
  } catch (error) {
    if (error instanceof MalformedJson) return error.message;
  }
  throw new Error("the text was accepted");
}

describe("a text that is not JSON", () => {
  it.each([
    ["{a: 1}", 1, 2],
    ['{"type": "text",}', 1, 17],
    ['{"type": "text"', 1, 16],
    ['{\n  "type": "text"\n  "contents": []\n}', 3, 3],
    ['{"a": 1}\n}', 2, 1],
    ["{'a': 1}", 1, 2],
    ['{"a": 01}', 1, 8],
    ['{\r\n"a": tru\r\n}', 2, 6],
    ['// a comment\n{"a": 1}', 1, 1],
  ])("is refused with the place of the mistake: %j", (text, line, column) => {
    expect(sentenceFor(text)).toBe(`The body is not valid JSON: correct it at line ${line}, column ${column}.`);
  });

  it("is refused without a place where the search would take long or deep", () => {
    expect(sentenceFor(`${" ".repeat(5_000_000)}x`)).toBe("The body is not valid JSON.");
    expect(sentenceFor("[".repeat(1_000_000))).toBe("The body is not valid JSON.");
  });

  it("is never quoted, whatever it is", () => {
    const word = "hunter2";
    const broken = fc.json().map((json) => `{"password": "${word}" ${json}`);
    fc.assert(
      fc.property(broken, (text) => {
        expect(sentenceFor(text)).not.toContain(word);
      }),
    );
  });
});

it("JSON is read as the platform reads it", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJson(text, "The body")).toEqual(JSON.parse(text));
    }),
  );
});
