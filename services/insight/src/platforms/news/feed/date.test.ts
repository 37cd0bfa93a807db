import { expect, it } from "vitest";
import { readDate } from "./date.js";

it.each([
  ["Sun, 22 Nov 2026 10:00:00 GMT", "2026-11-22T10:00:00Z"],
  ["Sun, 22 Nov 2026 10:00:00 +0530", "2026-11-22T04:30:00Z"],
  ["22 Nov 26 10:00 EST", "2026-11-22T15:00:00Z"],
  ["Sun,22 Nov 2026 10:00:00 CEST", "2026-11-22T08:00:00Z"],
  ["Sunday, 22-November-2026 10:00:00 GMT+02:00", "2026-11-22T08:00:00Z"],
  ["Wrong, 22 Nov 2026 10:00:00 Z", "2026-11-22T10:00:00Z"],
  ["2026-11-22T10:00:00Z", "2026-11-22T10:00:00Z"],
  ["2026-11-22T10:00:00.123456-08:00", "2026-11-22T18:00:00Z"],
  ["2026-11-22 10:00:00 +0100", "2026-11-22T09:00:00Z"],
  ["2026-11-22", "2026-11-22T00:00:00Z"],
  ["Nov 22, 2026 10:00 PM", "2026-11-22T22:00:00Z"],
  ["Sun, 22 Nov 1998 12:00 am PST", "1998-11-22T08:00:00Z"],
  ["Sun, 22 Nov 2026 10:00:00 XYZ", "2026-11-22T10:00:00Z"],
])("reads the time %s", (text, time) => {
  expect(readDate(text)).toBe(Date.parse(time));
});

it.each([
  "",
  "yesterday",
  "31 Feb 2026 10:00 GMT",
  "22 Smarch 2026",
  "2026-13-01",
  "Sun, 22 Nov 2026 25:61:00 GMT",
  "1763806",
])("makes no time of %j", (text) => {
  expect(readDate(text)).toBeUndefined();
});
