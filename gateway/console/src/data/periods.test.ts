import { describe, expect, test } from "vitest";
import {
  daysOf,
  hasLater,
  intervalOf,
  intervalsFor,
  isEdge,
  isUnfinished,
  laterHalf,
  moved,
  periodOf,
  periodOfSteps,
  presetOf,
  presets,
  spanOf,
  timesOf,
  usualInterval,
} from "./periods.js";

const NOW = Date.parse("2026-11-26T16:30:00Z");

describe("the period of an address", () => {
  test("is the 30 days up to today without dates", () => {
    expect(periodOf({}, NOW)).toEqual({ from: "2026-10-28", to: "2026-11-26" });
  });

  test("ends today if only its begin is given", () => {
    expect(periodOf({ from: "2026-11-01" }, NOW)).toEqual({ from: "2026-11-01", to: "2026-11-26" });
  });

  test("is 30 days if only its end is given", () => {
    expect(periodOf({ to: "2026-03-02" }, NOW)).toEqual({ from: "2026-02-01", to: "2026-03-02" });
  });

  test("begins at a day to come if the address says so", () => {
    expect(periodOf({ from: "2026-12-24" }, NOW)).toEqual({ from: "2026-12-24", to: "2026-12-24" });
  });

  test("has its ends in order if the address has not", () => {
    expect(periodOf({ from: "2026-11-20", to: "2026-11-02" }, NOW)).toEqual({ from: "2026-11-02", to: "2026-11-20" });
  });

  test("may mix hours and days", () => {
    const period = periodOf({ from: "2026-11-20T14", to: "2026-11-20" }, NOW);
    expect(spanOf(period)).toEqual({ start: Date.parse("2026-11-20T14:00Z"), end: Date.parse("2026-11-21T00:00Z") });
  });

  test("ignores what is no date", () => {
    expect(periodOf({ from: "yesterday", to: "2026-02-30" }, NOW)).toEqual(periodOf({}, NOW));
  });
});

test.each([
  ["2026-11-24", true],
  ["2028-02-29", true],
  ["2026-11-24T23", true],
  ["2026-02-29", false],
  ["2026-13-01", false],
  ["2026-11-24T24", false],
  ["2026-11-24T14:30", false],
  ["24.11.2026", false],
  ["", false],
])("%j is an end of a period: %j", (text, expected) => {
  expect(isEdge(text)).toBe(expected);
});

describe("the parameters of the API", () => {
  test("exclude the last day, which people include", () => {
    expect(timesOf({ from: "2026-11-01", to: "2026-11-30" })).toEqual({
      start_date: "2026-11-01",
      end_date: "2026-12-01",
    });
  });

  test("are moments where hours are meant", () => {
    expect(timesOf({ from: "2026-11-24T14", to: "2026-11-24T14" })).toEqual({
      start: "2026-11-24T14:00:00.000Z",
      end: "2026-11-24T15:00:00.000Z",
    });
  });
});

describe("moving a period", () => {
  test("keeps its length", () => {
    expect(moved({ from: "2026-11-20", to: "2026-11-26" }, -1)).toEqual({ from: "2026-11-13", to: "2026-11-19" });
    expect(moved({ from: "2026-11-13", to: "2026-11-19" }, 1)).toEqual({ from: "2026-11-20", to: "2026-11-26" });
  });

  test("keeps whole months whole", () => {
    expect(moved({ from: "2026-03-01", to: "2026-03-31" }, -1)).toEqual({ from: "2026-02-01", to: "2026-02-28" });
    expect(moved({ from: "2026-01-01", to: "2026-02-28" }, -1)).toEqual({ from: "2025-11-01", to: "2025-12-31" });
    expect(moved({ from: "2025-11-01", to: "2025-12-31" }, 1)).toEqual({ from: "2026-01-01", to: "2026-02-28" });
  });

  test("moves hours by hours, also over midnight", () => {
    expect(moved({ from: "2026-11-24T22", to: "2026-11-24T23" }, 1)).toEqual({
      from: "2026-11-25T00",
      to: "2026-11-25T01",
    });
    expect(moved({ from: "2026-11-24T12", to: "2026-11-24T23" }, -1)).toEqual({
      from: "2026-11-24T00",
      to: "2026-11-24T11",
    });
  });

  test("has nowhere to go after today", () => {
    expect(hasLater({ from: "2026-11-01", to: "2026-11-26" }, NOW)).toBe(false);
    expect(hasLater({ from: "2026-11-01", to: "2026-11-25" }, NOW)).toBe(true);
  });
});

describe("presets", () => {
  test("include today", () => {
    expect(presets(NOW)["days-7"]).toEqual({ from: "2026-11-20", to: "2026-11-26" });
    expect(presets(NOW)["this-month"]).toEqual({ from: "2026-11-01", to: "2026-11-26" });
  });

  test("know the month before, also in January", () => {
    expect(presets(Date.parse("2027-01-15T00:00:00Z"))["last-month"]).toEqual({ from: "2026-12-01", to: "2026-12-31" });
  });

  test("are recognized", () => {
    expect(presetOf({ from: "2026-10-28", to: "2026-11-26" }, NOW)).toBe("days-30");
    expect(presetOf({ from: "2026-10-29", to: "2026-11-26" }, NOW)).toBeUndefined();
  });
});

describe("intervals", () => {
  test("are those that the server has steps for", () => {
    expect(intervalsFor({ from: "2026-11-01", to: "2026-12-01" })).toEqual(["hour", "day", "week", "month"]);
    expect(intervalsFor({ from: "2026-11-01", to: "2026-12-02" })).toEqual(["day", "week", "month"]);
    expect(intervalsFor({ from: "2026-01-01", to: "2027-01-02" })).toEqual(["week", "month"]);
  });

  test("grow with the period", () => {
    expect(usualInterval({ from: "2026-11-24", to: "2026-11-24" })).toBe("hour");
    expect(usualInterval({ from: "2026-11-01", to: "2026-11-30" })).toBe("day");
    expect(usualInterval({ from: "2026-01-01", to: "2026-12-31" })).toBe("week");
    expect(usualInterval({ from: "2020-01-01", to: "2026-12-31" })).toBe("month");
  });

  test("of the address hold where they can", () => {
    expect(intervalOf("week", { from: "2026-11-01", to: "2026-11-30" })).toBe("week");
    expect(intervalOf("hour", { from: "2026-01-01", to: "2026-11-30" })).toBe("week");
    expect(intervalOf(undefined, { from: "2026-11-01", to: "2026-11-30" })).toBe("day");
  });
});

describe("the later half", () => {
  test("is whole days while there are some", () => {
    expect(laterHalf({ from: "2026-11-01", to: "2026-11-30" })).toEqual({ from: "2026-11-16", to: "2026-11-30" });
    expect(laterHalf({ from: "2026-11-01", to: "2026-11-03" })).toEqual({ from: "2026-11-03", to: "2026-11-03" });
  });

  test("of a day is its afternoon", () => {
    expect(laterHalf({ from: "2026-11-24", to: "2026-11-24" })).toEqual({ from: "2026-11-24T12", to: "2026-11-24T23" });
  });

  test("of an hour does not exist", () => {
    expect(laterHalf({ from: "2026-11-24T14", to: "2026-11-24T14" })).toBeUndefined();
  });
});

test("a step is unfinished until its end", () => {
  expect(isUnfinished({ end: "2026-11-27T00:00:00.000Z" }, NOW)).toBe(true);
  expect(isUnfinished({ end: "2026-11-26T16:30:00.000Z" }, NOW)).toBe(false);
});

test("the period of steps is of days where it can be", () => {
  const day = { start: "2026-11-24T00:00:00.000Z", end: "2026-11-25T00:00:00.000Z" };
  const hour = { start: "2026-11-24T14:00:00.000Z", end: "2026-11-24T15:00:00.000Z" };
  expect(periodOfSteps(day, day)).toEqual({ from: "2026-11-24", to: "2026-11-24" });
  expect(periodOfSteps(hour, hour)).toEqual({ from: "2026-11-24T14", to: "2026-11-24T14" });
  expect(daysOf(periodOfSteps(day, { end: "2026-12-01T00:00:00.000Z" }))).toBe(7);
});
