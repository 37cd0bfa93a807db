import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Calendar } from "./calendar.js";

const iso = (time: number) => new Date(time).toISOString();

function starts(zone: string, [start, end]: [string, string], interval: "hour" | "day" | "week" | "month"): string[] {
  return new Calendar(zone)
    .stepsOf({ start: Date.parse(start), end: Date.parse(end) }, interval)
    .map((step) => iso(step.start));
}

describe("a calendar", () => {
  it("begins days where clocks of the zone say so, also when they are put forward or back", () => {
    expect(starts("Europe/Berlin", ["2026-03-27T23:00:00Z", "2026-03-31T22:00:00Z"], "day")).toEqual([
      "2026-03-27T23:00:00.000Z",
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
      "2026-03-30T22:00:00.000Z",
    ]);
    expect(starts("Asia/Kolkata", ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"], "day")).toEqual([
      "2026-01-01T00:00:00.000Z",
      "2026-01-01T18:30:00.000Z",
    ]);
  });

  it("begins a day later where clocks are put forward at midnight", () => {
    expect(iso(new Calendar("America/Asuncion").startOf("2023-10-01"))).toBe("2023-10-01T04:00:00.000Z");
    expect(iso(new Calendar("America/Asuncion").startOf("2023-10-02"))).toBe("2023-10-02T03:00:00.000Z");
  });

  it("begins weeks on Mondays and months on their first days", () => {
    expect(starts("UTC", ["2026-01-28T00:00:00Z", "2026-02-10T00:00:00Z"], "week")).toEqual([
      "2026-01-28T00:00:00.000Z",
      "2026-02-02T00:00:00.000Z",
      "2026-02-09T00:00:00.000Z",
    ]);
    expect(starts("America/New_York", ["2025-12-15T05:00:00Z", "2026-02-01T05:00:00Z"], "month")).toEqual([
      "2025-12-15T05:00:00.000Z",
      "2026-01-01T05:00:00.000Z",
    ]);
  });

  it("refuses an unknown zone", () => {
    expect(() => new Calendar("Europe/Atlantis")).toThrow(RangeError);
  });

  it.each(["UTC", "Europe/Lisbon", "Pacific/Apia", "Asia/Kathmandu", "America/St_Johns"])(
    "divides any span of %s without gaps, each step into another date",
    (zone) => {
      const calendar = new Calendar(zone);
      const time = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2040, 0, 1) });
      fc.assert(
        fc.property(time, fc.integer({ min: 1, max: 40 * 86_400_000 }), (start, length) => {
          const end = start + length;
          const steps = calendar.stepsOf({ start, end }, "day");
          expect([steps[0]?.start, steps.at(-1)?.end]).toEqual([start, end]);
          const dates = steps.map((step) => new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(step.start));
          expect(new Set(dates).size).toBe(steps.length);
          for (const [index, step] of steps.entries()) expect(step.end).toBe(steps[index + 1]?.start ?? end);
        }),
        { numRuns: 50 },
      );
    },
  );
});
