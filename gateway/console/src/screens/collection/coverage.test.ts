import { expect, it } from "vitest";
import { boundsOf, placedIn, shareOfComplete } from "./coverage.js";

const hours = (from: number, to: number, completeness = "complete") => ({
  start: new Date(Date.UTC(2026, 0, 1, from)).toISOString(),
  end: new Date(Date.UTC(2026, 0, 1, to)).toISOString(),
  completeness,
});

it("places the spans of all platforms in one scale", () => {
  const bounds = boundsOf([hours(2, 6), hours(0, 4), hours(6, 8)]);
  expect(bounds && placedIn(bounds, hours(2, 6))).toEqual({ from: 0.25, width: 0.5 });
  expect(boundsOf([])).toBeUndefined();
});

it("says how much of the time is complete", () => {
  expect(shareOfComplete([hours(0, 3), hours(3, 4, "thin")])).toBe(0.75);
  expect(shareOfComplete([hours(0, 3, "unknown")])).toBe(0);
  expect(shareOfComplete([])).toBe(0);
});
