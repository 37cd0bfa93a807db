import { describe, expect, it } from "vitest";
import { fallsShort } from "./report.js";

describe("fallsShort", () => {
  it("forgives noise, and knows which way is better", () => {
    expect(fallsShort({ name: "accuracy", value: 0.696, stated: 0.7 })).toBe(false);
    expect(fallsShort({ name: "accuracy", value: 0.69, stated: 0.7 })).toBe(true);
    expect(fallsShort({ name: "error", value: 0.05, stated: 0.02, better: "lower" })).toBe(true);
    expect(fallsShort({ name: "speed", value: 1 })).toBe(false);
  });
});
