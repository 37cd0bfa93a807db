import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JoinedSlices, slicesOf, type Slice } from "./parse-worker.js";

function joined(slices: Iterable<Slice>): unknown {
  const whole = new JoinedSlices();
  for (const slice of slices) whole.add(structuredClone(slice));
  return whole.value;
}

const TEXT = "x".repeat(100_000);
/** Values as large as a few slices. */
const large = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.jsonValue(),
    fc.constant(TEXT),
    fc.array(tie("value"), { maxLength: 6 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "length", "0")), tie("value"), { maxKeys: 6 }),
  ),
})).value;

describe("a JSON value in slices", () => {
  it("is the same when they are joined", () => {
    fc.assert(
      fc.property(large, (json) => {
        const value: unknown = JSON.parse(JSON.stringify([json, json, TEXT, json, TEXT, TEXT]));
        const again = joined(slicesOf(value));
        expect(again).toStrictEqual(value);
        expect(JSON.stringify(again)).toBe(JSON.stringify(value));
      }),
    );
  });

  it("keeps a name that objects have a meaning for", () => {
    const json = `{"__proto__":{"a":1},"texts":${JSON.stringify([TEXT, TEXT, TEXT])}}`;
    const again = joined(slicesOf(JSON.parse(json)));
    expect(JSON.stringify(again)).toBe(json);
    expect(Object.getPrototypeOf(again)).toBe(Object.prototype);
  });

  it.each([
    ["many texts", Array.from({ length: 1000 }, (_, index) => `${index}${"я".repeat(9000)}`)],
    ["many names", Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`${index} ${"x".repeat(50)}`, 1]))],
    ["many objects", { list: Array.from({ length: 40_000 }, (_, index) => ({ [`name ${index}`]: {} })) }],
    ["objects in each other", [[[{ deep: [[Array<string>(40).fill(TEXT)]] }]], "last"]],
  ])("is taken apart: %s", (_, value) => {
    const sizes = [...slicesOf(value)].map((slice) => JSON.stringify(slice).length);
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.max(...sizes)).toBeLessThan(600_000);
  });
});
