import { describe, expect, it } from "vitest";
import { DELAY_STEPS, routeDelay, stepPattern } from "./delay-queues.js";

/** Total time that a message with this key stays in the steps. */
function stay(key: string): number {
  return key.split(".").reduce((sum, bit, step) => sum + (bit === "1" ? DELAY_STEPS[step]! : 0), 0);
}

describe("routeDelay", () => {
  it.each([0.5, 1, 24.9, 25, 26, 99, 100, 101, 200, 777, 1000, 1800, 59_999, 60_000, 123_456, 358_400])(
    "takes no less than %d ms, and not a quarter or a shortest step more",
    (delayMs) => {
      const { key, remainingMs } = routeDelay(delayMs);
      expect(remainingMs).toBe(0);
      expect(stay(key)).toBeGreaterThanOrEqual(delayMs);
      expect(stay(key)).toBeLessThan(delayMs + Math.max(25, delayMs / 4));
    },
  );

  it.each([1, 25, 700, 4200, 358_400, 86_400_000])("goes through three steps at most for %d ms", (delayMs) => {
    const { key } = routeDelay(delayMs);
    expect(key.split(".").filter((bit) => bit === "1").length).toBeLessThanOrEqual(3);
  });

  it("enters at the first step it stays in", () => {
    for (const delayMs of [1, 30, 1000, 60_000]) {
      const { entry, key } = routeDelay(delayMs);
      expect(key.split(".").indexOf("1")).toBe(entry);
    }
  });

  it.each([358_401, 3_600_000, 86_400_000.5])("leaves the rest of %d ms for another time round", (delayMs) => {
    const { key, remainingMs } = routeDelay(delayMs);
    expect(stay(key) + remainingMs).toBeGreaterThanOrEqual(delayMs);
    expect(stay(key) + remainingMs).toBeLessThan(delayMs + 1);
  });
});

describe("stepPattern", () => {
  it("asks for the word of its step", () => {
    expect(stepPattern(0, "1")).toBe("1.#");
    expect(stepPattern(2, "0")).toBe("*.*.0.#");
  });
});
