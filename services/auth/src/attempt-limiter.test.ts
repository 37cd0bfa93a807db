import { describe, expect, it } from "vitest";
import { AttemptLimiter } from "./attempt-limiter.js";

function subject(attemptsMax: number, keysMax?: number) {
  const clock = { now: 1_000_000 };
  return { clock, limiter: new AttemptLimiter(attemptsMax, () => clock.now, keysMax) };
}

describe("AttemptLimiter", () => {
  it("allows so many attempts a minute per key", () => {
    const { clock, limiter } = subject(2);
    expect([limiter.attempt("a"), limiter.attempt("a")]).toEqual([0, 0]);
    clock.now += 10_000;
    expect(limiter.attempt("a")).toBe(50_000);
    expect(limiter.attempt("b")).toBe(0);
    clock.now += 50_000;
    expect(limiter.attempt("a")).toBe(0);
  });

  it("has no limit at 0", () => {
    const { limiter } = subject(0);
    expect(Array.from({ length: 100 }, () => limiter.attempt("a")).every((wait) => wait === 0)).toBe(true);
  });

  it("displaces the oldest key when it is full, so that memory stays bounded", () => {
    const { clock, limiter } = subject(1, 3);
    for (const key of ["a", "b", "c", "d"]) {
      clock.now += 1;
      limiter.attempt(key);
    }
    expect(limiter.attempt("b")).toBeGreaterThan(0);
    expect(limiter.attempt("a")).toBe(0);
  });

  it("does not hold anybody for hours when the clock is set back", () => {
    const { clock, limiter } = subject(1);
    limiter.attempt("a");
    clock.now -= 3_600_000;
    expect(limiter.attempt("a")).toBe(0);
  });
});
