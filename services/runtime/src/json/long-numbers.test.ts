import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLongNumbers } from "./long-numbers.js";

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
