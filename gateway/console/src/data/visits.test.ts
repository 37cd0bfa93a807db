import { describe, expect, it } from "vitest";
import type { Kept } from "./stored.js";
import { Visits } from "./visits.js";

const HOUR = 3_600_000;
const START = Date.parse("2026-11-27T09:00:00Z");

function storage(): Kept {
  const texts = new Map<string, string>();
  return {
    get: (name) => texts.get(name),
    set: (name, value) => void (value === undefined ? texts.delete(name) : texts.set(name, value)),
  };
}

describe("what is new since the last visit", () => {
  it("is nothing at the first one", () => {
    const visits = new Visits(1, storage());
    visits.see({ 7: "a" }, START);
    expect(visits.last).toBeUndefined();
  });

  it("stays the same during a visit, however often the page is loaded", () => {
    const kept = storage();
    new Visits(1, kept).see({ 7: "a" }, START);
    for (const minutes of [1_440, 1_450, 1_500]) {
      new Visits(1, kept).see({ 7: `b${minutes}` }, START + minutes * 60_000);
      expect(new Visits(1, kept).last).toEqual({ at: "2026-11-27T09:00:00.000Z", watermarks: { 7: "a" } });
    }
  });

  it("is counted from the end of the last one", () => {
    const kept = storage();
    const visits = new Visits(1, kept);
    visits.see({ 7: "a" }, START);
    visits.see({ 7: "b", 8: "c" }, START + HOUR / 2);
    visits.see({ 7: "d" }, START + 5 * HOUR);
    expect(visits.last?.watermarks).toEqual({ 7: "b", 8: "c" });
  });

  it("is of each user, and survives what somebody else wrote there", () => {
    const kept = storage();
    new Visits(1, kept).see({ 7: "a" }, START);
    new Visits(1, kept).see({ 7: "b" }, START + 2 * HOUR);
    expect(new Visits(2, kept).last).toBeUndefined();
    kept.set("hourglass.visits.1", "not JSON");
    expect(new Visits(1, kept).last).toBeUndefined();
  });
});
