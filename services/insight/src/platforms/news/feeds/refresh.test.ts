import { describe, expect, it } from "vitest";
import type { Freshness } from "./api.js";
import type { FeedWishes } from "./entry.js";
import { nextTime, nextTimeAfterFailure, type Pauses } from "./refresh.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A Sunday. */
const NOW = Date.UTC(2026, 10, 22, 12, 30);
const USUAL: Pauses = { intervalMs: 5 * MINUTE, isExplicit: false };
const EXPLICIT: Pauses = { intervalMs: 1000, isExplicit: true };

const pauseOf = (wishes: FeedWishes, freshness: Freshness = {}, pauses = USUAL) =>
  nextTime({ wishes, freshness }, pauses, NOW) - NOW;

describe("the pause after an answer", () => {
  it.each<[string, FeedWishes, Freshness, number]>([
    ["15 minutes without a wish", {}, {}, 15 * MINUTE],
    ["the ttl", { ttlMinutes: 60 }, {}, HOUR],
    ["the update period", { updatePeriod: "hourly", updateFrequency: 2 }, {}, 30 * MINUTE],
    ["the update period, once if it is not said how often", { updatePeriod: " Hourly " }, {}, HOUR],
    ["what is left of the lifetime", {}, { cacheControl: "public, max-age=3600", age: "600" }, 50 * MINUTE],
    ["the longest of several wishes", { ttlMinutes: 10 }, { cacheControl: "max-age=1800" }, 30 * MINUTE],
    ["never less than five minutes", { ttlMinutes: 1 }, { cacheControl: "max-age=0" }, 5 * MINUTE],
    ["never more than a day", { updatePeriod: "yearly" }, {}, 24 * HOUR],
    ["15 minutes for nonsense", { ttlMinutes: -5, updateFrequency: 0, updatePeriod: "often" }, {}, 15 * MINUTE],
    ["longer if the hour is skipped", { skipHours: [12, 13] }, {}, 90 * MINUTE],
    [
      "a day at most if all hours are skipped",
      { skipHours: Array.from({ length: 24 }, (_, hour) => hour) },
      {},
      23.5 * HOUR,
    ],
    ["longer if the day is skipped", { skipDays: ["Sunday"] }, {}, 11.5 * HOUR],
  ])("is %s", (_name, wishes, freshness, pause) => {
    expect(pauseOf(wishes, freshness)).toBe(pause);
  });

  it("is never shorter than the interval of the server", () => {
    expect(pauseOf({ ttlMinutes: 10 }, {}, { intervalMs: 2 * HOUR, isExplicit: false })).toBe(2 * HOUR);
  });

  it("is the interval if the operator set it, whatever the feed wishes", () => {
    const wishes = { ttlMinutes: 60, skipHours: [12], updatePeriod: "daily" };
    expect(pauseOf(wishes, { cacheControl: "max-age=3600" }, EXPLICIT)).toBe(1000);
  });
});

describe("the pause after a failure", () => {
  const pause = (kind: "refused" | "temporary" | "busy", failures: number, freshness: Freshness = {}, pauses = USUAL) =>
    nextTimeAfterFailure({ kind, failures, freshness }, pauses, NOW) - NOW;

  it("doubles: up to an hour, and up to a day if the feed is refused", () => {
    expect([1, 2, 3, 50].map((failures) => pause("temporary", failures) / MINUTE)).toEqual([10, 20, 40, 60]);
    expect([1, 5, 8, 9, 50].map((failures) => pause("refused", failures) / MINUTE)).toEqual([
      10, 160, 1280, 1440, 1440,
    ]);
  });

  it("is a week if the feed is gone", () => {
    const gone = (failures: number) =>
      nextTimeAfterFailure({ kind: "gone", failures, freshness: {} }, EXPLICIT, NOW) - NOW;
    expect([1, 2, 50].map(gone)).toEqual([168 * HOUR, 168 * HOUR, 168 * HOUR]);
  });

  it.each([
    ["3600", HOUR],
    [new Date(NOW + 2 * HOUR).toUTCString(), 2 * HOUR],
    ["864000", 24 * HOUR],
    ["soon", 2000],
    ["-5", 2000],
  ])("is at least a Retry-After of %s, up to a day", (retryAfter, expected) => {
    expect(pause("busy", 1, { retryAfter }, EXPLICIT)).toBe(expected);
  });
});
