import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonShape, tooMuchJson } from "./shape.js";

function shapeOf(text: string, partBytes = Infinity): JsonShape {
  const bytes = Buffer.from(text);
  const shape = new JsonShape();
  for (let start = 0; start < bytes.length; start += partBytes) shape.add(bytes.subarray(start, start + partBytes));
  return shape;
}

interface Counts {
  values: number;
  names: number;
  depth: number;
}

/** Every object and list, and every member beyond the first of each. */
function countsIn(json: unknown): Counts {
  if (typeof json !== "object" || json === null) return { values: 0, names: 0, depth: 0 };
  const members: Counts[] = Object.values(json).map(countsIn);
  return {
    values: members.reduce((sum, { values }) => sum + values, 1 + Math.max(0, members.length - 1)),
    names: members.reduce((sum, { names }) => sum + names, Array.isArray(json) ? 0 : members.length),
    depth: members.reduce((most, { depth }) => Math.max(most, depth + 1), 1),
  };
}

/** Escapes and quotation marks, near each other and far. */
const text = fc
  .array(fc.constantFrom('"', "\\", "[", ",", ":", "x".repeat(23), "x".repeat(24), "\n", "ж", "😀"), { maxLength: 30 })
  .map((parts) => parts.join(""));

describe("the values, names and levels of JSON", () => {
  it("are counted without parsing it, in parts of any size", () => {
    const json = fc.oneof(fc.jsonValue({ stringUnit: "binary" }), fc.array(fc.dictionary(text, text)));
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 60 }), (value, partBytes) => {
        const text = JSON.stringify(value);
        expect(shapeOf(text)).toMatchObject(countsIn(value));
        expect(shapeOf(text, partBytes)).toMatchObject(countsIn(value));
      }),
    );
  });

  it("are not found in strings, whatever is escaped in them", () => {
    const json = JSON.stringify({ a: '[{,:"\\' + "\\\\".repeat(10) + '"[,' });
    for (const size of [1, 2, 3, 1000]) expect(shapeOf(json, size)).toMatchObject({ values: 1, names: 1, depth: 1 });
  });
});

describe("JSON that holds too much", () => {
  it.each(["text", "bytes"])("is told apart as %s", (form) => {
    const given = (json: string) => (form === "text" ? json : Buffer.from(json));
    const limits = { parts: 4, depth: 2 };
    expect(tooMuchJson(given('{"a":1,"b":["[[["]}'), { parts: 5, depth: 2 })).toBeUndefined();
    expect(tooMuchJson(given('{"a":1,"b":["[[["]}'), limits)).toBe("Give JSON with at most 4 values.");
    expect(tooMuchJson(given("[[[]]]"), limits)).toBe("Give JSON with at most 2 levels of objects and arrays.");
  });
});
