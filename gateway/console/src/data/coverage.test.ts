import { expect, it } from "vitest";
import { boundsOf, pastOf, placedIn, shareOfComplete } from "./coverage.js";

const HOUR_MS = 3_600_000;
const hours = (from: number, to: number, completeness = "complete") => ({
  start: from * HOUR_MS,
  end: to * HOUR_MS,
  completeness,
});
const text = ({ start, end }: { readonly start: number; readonly end: number }) => ({
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
});

it("places the spans of all platforms in one scale", () => {
  const bounds = boundsOf([hours(2, 6), hours(0, 4), hours(6, 8)].map(text));
  expect(bounds && placedIn(bounds, hours(2, 6))).toEqual({ from: 0.25, to: 0.75 });
  expect(boundsOf([])).toBeUndefined();
});

it("says how much of the time is complete", () => {
  expect(shareOfComplete([hours(0, 3), hours(3, 4, "thin")])).toBe(0.75);
  expect(shareOfComplete([hours(0, 3, "unknown")])).toBe(0);
  expect(shareOfComplete([])).toBe(0);
});

it("counts what is to come as no gap", () => {
  const spans = [hours(0, 2), hours(2, 5), hours(5, 6)].map(text);
  expect(pastOf(spans, 3 * HOUR_MS)).toEqual([hours(0, 2), hours(2, 3)].map(text));
});
