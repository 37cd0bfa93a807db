import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonShape, MalformedJson, parseJson, parseLongNumbers, tooMuchJson } from "./parse.js";

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

describe("JSON with long numbers", () => {
  it("keeps every digit of what a number cannot hold, and the numbers beside it", () => {
    const text =
      '{"id": 7398765432101234567,"list":[-9223372036854775808,\n 9007199254740992],"count":9007199254740991,"time":1795162530}';
    expect(parseLongNumbers(text)).toEqual({
      id: "7398765432101234567",
      list: ["-9223372036854775808", "9007199254740992"],
      count: 9_007_199_254_740_991,
      time: 1_795_162_530,
    });
  });

  it("keeps long digits within texts, decimals and exponents as they are", () => {
    const value = { text: 'a "12345678901234567890" \\', "9876543210987654321": 0.1234567890123456, big: 1e25 };
    expect(parseLongNumbers(JSON.stringify(value))).toEqual(value);
  });

  it("is otherwise read as by JSON.parse", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const document = { id: "x", value, text };
        const read = JSON.parse(JSON.stringify(document), (_key, each: unknown) =>
          typeof each === "number" && /^-?\d{16,}$/.test(String(each)) && !Number.isSafeInteger(each)
            ? String(each)
            : each,
        ) as unknown;
        const written = JSON.stringify(document).replace('"id":"x"', '"id":12345678901234567890');
        expect(parseLongNumbers(written)).toEqual({ ...(read as object), id: "12345678901234567890" });
      }),
    );
  });

  it.each(['{"id": 12345678901234567', '"1234567890123456\\', "01234567890123456", "[1234567890123456 7]"])(
    "that is none is refused: %s",
    (text) => {
      expect(() => parseLongNumbers(text)).toThrow(SyntaxError);
    },
  );

  it("is read whatever its length", () => {
    const text = "a".repeat(9_000_000);
    expect(parseLongNumbers(`{"id":12345678901234567,"text":"${text}"}`)).toEqual({ id: "12345678901234567", text });
  });

  it("that never closes a text takes no longer for it", () => {
    expect(() => parseLongNumbers(`[12345678901234567, "${'\\"'.repeat(500_000)}`)).toThrow(SyntaxError);
  });
});

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
  it.each(["text", "bytes"])("is distinguished as %s", (form) => {
    const given = (json: string) => (form === "text" ? json : Buffer.from(json));
    const limits = { parts: 4, depth: 2 };
    expect(tooMuchJson(given('{"a":1,"b":["[[["]}'), { parts: 5, depth: 2 })).toBeUndefined();
    expect(tooMuchJson(given('{"a":1,"b":["[[["]}'), limits)).toBe("Give JSON with at most 4 values.");
    expect(tooMuchJson(given("[[[]]]"), limits)).toBe("Give JSON with at most 2 levels of objects and arrays.");
  });
});
