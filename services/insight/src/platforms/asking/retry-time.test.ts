import { describe, expect, it } from "vitest";
import { resetTimeOf, retryAfterOf } from "./retry-time.js";

const NOW = Date.UTC(2026, 10, 22, 12);
const at = (time: number): string => new Date(time).toUTCString();

describe("the time of a retry", () => {
  it.each([
    ["120", NOW + 120_000],
    [at(NOW + 60_000), NOW + 60_000],
    [at(NOW - 60_000), NOW],
    ["soon", undefined],
    ["", undefined],
  ])("that Retry-After states as '%s' is %s", (text, expected) => {
    expect(retryAfterOf({ headers: { "retry-after": text } }, NOW)).toBe(expected);
  });

  it("is read by the clock of the platform", () => {
    const ahead = NOW + 600_000;
    const headers = { date: at(ahead), "retry-after": at(ahead + 60_000), reset: String((ahead + 60_000) / 1000) };
    expect(retryAfterOf({ headers }, NOW)).toBe(NOW + 60_000);
    expect(resetTimeOf({ headers }, "reset", NOW)).toBe(NOW + 60_000);
  });

  it("is none without the header", () => {
    expect(resetTimeOf({ headers: {} }, "reset", NOW)).toBeUndefined();
  });
});
