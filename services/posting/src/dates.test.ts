import { expect, it } from "vitest";
import { dayInNumbers, readDate, readMoment } from "./dates.js";

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
  ["Sun Nov 22 10:00:00 2026", "2026-11-22T10:00:00Z"],
  ["Sun Nov 22 10:00:00 CET 2026", "2026-11-22T09:00:00Z"],
  ["Sunday, 22 November, 2026 - 10:00", "2026-11-22T10:00:00Z"],
  ["20261122T100000Z", "2026-11-22T10:00:00Z"],
  ["20261122", "2026-11-22T00:00:00Z"],
  ["22.11.2026 10:00", "2026-11-22T10:00:00Z"],
  ["22/11/2026 10:00", "2026-11-22T10:00:00Z"],
  ["11/22/2026 10:00:00 AM", "2026-11-22T10:00:00Z"],
  ["1795341600", "2026-11-22T10:00:00Z"],
  ["1795341600000", "2026-11-22T10:00:00Z"],
  ["2026年11月22日 10:00", "2026-11-22T10:00:00Z"],
  ["Вс, 22 ноя 2026 10:00:00 +0300", "2026-11-22T07:00:00Z"],
  ["22 ноября 2026", "2026-11-22T00:00:00Z"],
  ["Do, 24 Dez 2026 10:00:00 +0100", "2026-12-24T09:00:00Z"],
  ["mer., 22 juil. 2026 10:00:00 +0200", "2026-07-22T08:00:00Z"],
  ["22 de noviembre de 2026", "2026-11-22T00:00:00Z"],
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
  "20261322",
  "05/06/2026",
  "22 jui 2026",
  "0000-00-00 00:00:00",
])("makes no time of %j", (text) => {
  expect(readDate(text)).toBeUndefined();
});

it.each([
  ["Wed Nov 25 08:00:00 +0000 2026", "2026-11-25T08:00:00Z"],
  ["2026-11-25 13:00:32 EST", "2026-11-25T18:00:32Z"],
  ["2026-11-25 08:00:00+00", "2026-11-25T08:00:00Z"],
  ["2026-11-25T08:00:00.123+0530", "2026-11-25T02:30:00Z"],
  ["11/25/2026 8:00 p.m.", "2026-11-25T20:00:00Z"],
  ["11/25/2026, 8:00:00\u202fAM", "2026-11-25T08:00:00Z"],
  ["25.11.2026 08:00", "2026-11-25T08:00:00Z"],
  ["25 November 2026", "2026-11-25T00:00:00Z"],
  ["Wed Nov 25 2026 08:00:00 GMT+0100 (Central European Standard Time)", "2026-11-25T07:00:00Z"],
])("understands all of %s", (text, time) => {
  const read = readMoment(text, { isStrict: true });
  expect((read?.local ?? NaN) - (read?.east ?? 0) * 60_000).toBe(Date.parse(time));
});

it.each([
  "2026-11-25 08:00 XYZ",
  "2026-11-25T08:00Z or so",
  "2026-11-25T08:00+25:00",
  "25/11/2026 13:00 PM",
  "x".repeat(200),
])("understands not all of %s", (text) => {
  expect(readMoment(text, { isStrict: true })).toBeUndefined();
});

it("reads days in numbers in the order that is stated", () => {
  const dayOf = (text: string, order: "day-first" | "month-first") =>
    new Date(readMoment(text, { order })?.local ?? NaN).toISOString().slice(0, 10);
  expect(dayOf("3/4/2026", "day-first")).toBe("2026-04-03");
  expect(dayOf("3-4-26", "month-first")).toBe("2026-03-04");
  expect(dayInNumbers("03.04.2026 10:00")).toEqual({ first: 3, second: 4, separator: ".", hasCentury: true });
});
