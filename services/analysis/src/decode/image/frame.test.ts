import { describe, expect, it } from "vitest";
import { createFrame } from "./frame.js";

describe("createFrame", () => {
  const frame = createFrame({ width: 2, height: 1, rgb: new Uint8Array(6), atMs: 1500 });

  it("computes what is asked for under a key once", () => {
    const key = Symbol("test");
    let calls = 0;
    const ask = (): number => frame.once(key, () => (calls += 1));
    expect([ask(), ask()]).toEqual([1, 1]);
  });

  it("keeps the values of several keys apart", () => {
    const [a, b] = [Symbol("a"), Symbol("a")];
    expect([frame.once(a, () => "one"), frame.once(b, ({ atMs }) => atMs)]).toEqual(["one", 1500]);
  });

  it("refuses pixels that are not as many as the size says", () => {
    expect(() => createFrame({ width: 2, height: 2, rgb: new Uint8Array(6), atMs: 0 })).toThrow(RangeError);
  });
});
