import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "./periods.js";
import { detectSpikes, type Metric, type Step } from "./spike-detection.js";

const START = Date.UTC(2026, 0, 5);

/** A generator of numbers from 0 to 1; the same seed gives the same ones (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function normal(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

/** A number of Poisson's distribution; a normal one comes close enough to large means. */
function poisson(mean: number, next: () => number): number {
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(next)));
  let count = 0;
  for (let left = Math.exp(-mean), product = next(); product > left; product *= next()) count += 1;
  return count;
}

/** Usual postings at a time: few at night and at weekends. */
function usual(at: number, perHour: number): number {
  const hour = (at / HOUR_MS) % 24;
  const isWeekend = [0, 6].includes(new Date(at).getUTCDay());
  return perHour * (1 + 0.6 * Math.sin(((hour - 8) / 24) * 2 * Math.PI)) * (isWeekend ? 0.7 : 1);
}

interface Usual {
  perHour?: number;
  /** How much more there is in an hour than usual. */
  factor?: (index: number) => number;
}

const ALWAYS = () => 1;

function hours(days: number, seed: number, { perHour = 60, factor = ALWAYS }: Usual = {}): Step[] {
  const next = random(seed);
  return Array.from({ length: days * 24 }, (_, index) => {
    const start = START + index * HOUR_MS;
    const postings = poisson(usual(start, perHour) * factor(index) * Math.exp(0.1 * normal(next)), next);
    const negative = Array.from({ length: postings }, next).filter((each) => each < 0.3).length;
    return { start, postings, rated: postings, negative, isComplete: true };
  });
}

function days(steps: readonly Step[]): Step[] {
  return Array.from({ length: steps.length / 24 }, (_, day) => {
    const some = steps.slice(day * 24, day * 24 + 24);
    const sum = (key: "postings" | "rated" | "negative") => some.reduce((total, step) => total + step[key], 0);
    return {
      start: START + day * DAY_MS,
      postings: sum("postings"),
      rated: sum("rated"),
      negative: sum("negative"),
      isComplete: some.every(({ isComplete }) => isComplete),
    };
  });
}

const judge = (steps: readonly Step[], unit: "hour" | "day", metric: "postings" | "negative_share" = "postings") =>
  detectSpikes(steps, { from: START + 28 * DAY_MS, unit, metric });

describe("spikes", () => {
  it("are at most one in 100 quiet days, by hours and days, of postings and negative shares together", () => {
    let found = 0;
    const rounds = 4;
    for (let seed = 1; seed <= rounds; seed++) {
      const steps = hours(128, seed);
      for (const metric of ["postings", "negative_share"] as const) {
        found += judge(steps, "hour", metric).unusual.length + judge(days(steps), "day", metric).unusual.length;
      }
    }
    expect(found).toBeLessThanOrEqual(rounds);
  });

  it("are found in at least 95 % of the hours and days with three times as many postings", () => {
    const jumps = new Map<string, { all: number; found: number }>([
      ["hour", { all: 0, found: 0 }],
      ["day", { all: 0, found: 0 }],
    ]);
    for (let seed = 1; seed <= 40; seed++) {
      const [hour, day] = [28 * 24 + ((seed * 37) % (14 * 24)), 28 + (seed % 14)];
      const byHour = judge(hours(42, seed, { factor: (index) => (index === hour ? 3 : 1) }), "hour");
      const single = hours(42, seed, { perHour: 4, factor: (index) => (Math.floor(index / 24) === day ? 3 : 1) });
      const found = {
        hour: byHour.unusual.some(({ step }) => step.start === START + hour * HOUR_MS),
        day: judge(days(single), "day").unusual.some(({ step }) => step.start === START + day * DAY_MS),
      };
      for (const [unit, count] of jumps) {
        count.all += 1;
        if (found[unit as keyof typeof found]) count.found += 1;
      }
    }
    for (const { all, found } of jumps.values()) expect(found / all).toBeGreaterThanOrEqual(0.95);
  });

  it("are judged by steps of the same query only, and say so where these are too few", () => {
    const changed = START + 40 * DAY_MS;
    const twice = days(hours(84, 5, { factor: (index) => (index >= 40 * 24 ? 2 : 1) })).map((step) =>
      step.start < changed ? step : { ...step, askedSince: changed },
    );
    const found = detectSpikes(twice, { from: changed, unit: "day", metric: "postings" });
    expect(found).toMatchObject({ status: "judged", judged: 44 - 14, unusual: [] });
    const soon = detectSpikes(twice.slice(0, 50), { from: changed, unit: "day", metric: "postings" });
    expect(soon).toMatchObject({ status: "query_changed", judged: 0 });
    const silent = twice.map(({ askedSince: _, ...step }) => step);
    expect(detectSpikes(silent, { from: changed, unit: "day", metric: "postings" }).unusual).not.toEqual([]);
    expect(detectSpikes(twice.slice(0, 10), { from: START, unit: "day", metric: "postings" }).status).toBe(
      "not_enough_history",
    );
  });

  it("are found in the share of negative postings, whatever their number", () => {
    const steps = hours(42, 3).map((step, index) =>
      index === 35 * 24 + 15 ? { ...step, negative: Math.round(step.rated * 0.8) } : step,
    );
    const { unusual } = judge(steps, "hour", "negative_share");
    expect(unusual.map(({ step }) => step.start)).toEqual([START + (35 * 24 + 15) * HOUR_MS]);
    expect(unusual[0]?.expected).toBeCloseTo(0.3, 1);
    expect(judge(steps, "hour").unusual).toEqual([]);
  });

  it("are none when a source comes back after an outage", () => {
    const outage = (index: number) => index >= 20 * 24 && index < 30 * 24;
    const steps = hours(42, 5, { factor: (index) => (outage(index) ? 0.1 : 1) }).map((step, index) => ({
      ...step,
      isComplete: !outage(index),
    }));
    expect(judge(steps, "hour")).toMatchObject({ status: "judged", unusual: [] });
    expect(judge(days(steps), "day")).toMatchObject({ status: "judged", unusual: [] });
  });

  it("are never on a step that is not complete", () => {
    const spike = 30 * 24 + 12;
    const steps = hours(42, 6, { factor: (index) => (index === spike ? 10 : 1) });
    const thin = steps.map((step, index) => ({ ...step, isComplete: index !== spike }));
    expect(judge(steps, "hour").unusual).toHaveLength(1);
    expect(judge(thin, "hour").unusual).toEqual([]);
    expect(
      judge(
        thin.map((step) => ({ ...step, isComplete: false })),
        "hour",
      ).status,
    ).toBe("incomplete");
  });

  it("need 14 complete days before", () => {
    const steps = hours(15, 7);
    const judged = (from: number) =>
      detectSpikes(steps, { from: START + from * DAY_MS, unit: "hour", metric: "postings" });
    expect(judged(14)).toMatchObject({ status: "judged", judged: 24 });
    const gap = steps.map((step, index) => ({ ...step, isComplete: index >= 24 }));
    const late = detectSpikes(gap, { from: START + 14 * DAY_MS, unit: "hour", metric: "postings" });
    const needs = "14 complete days before the hour; there are 13";
    expect(late).toMatchObject({ status: "not_enough_history", judged: 0, needs });
  });

  it("say what they need where nothing could be judged", () => {
    const from = START + 20 * DAY_MS;
    const needsOf = (steps: Step[], metric: Metric) => detectSpikes(steps, { from, unit: "day", metric }).needs;
    const all = days(hours(30, 9));
    expect(needsOf(all, "postings")).toBeUndefined();
    const none = all.map((step) => ({ ...step, isComplete: false }));
    expect(needsOf(none, "postings")).toMatch(/^one complete day: /);
    const unrated = all.map((step) => ({ ...step, rated: 0 }));
    expect(needsOf(unrated, "negative_share")).toBe("one complete day with at least 30 postings that have a polarity");
    const changed = all.map((step, index) => ({ ...step, ...(index >= 20 && { askedSince: from }) }));
    expect(needsOf(changed.slice(0, 25), "postings")).toBe(
      "14 complete days before the day since the query was changed; there are 4",
    );
  });

  it("need at least ten postings", () => {
    const quiet = hours(42, 8, { perHour: 0 });
    const few = quiet.map((step, index) => ({ ...step, postings: index === 900 ? 9 : 0 }));
    const some = quiet.map((step, index) => ({ ...step, postings: index === 900 ? 12 : 0 }));
    expect(judge(few, "hour").unusual).toEqual([]);
    expect(judge(some, "hour").unusual).toHaveLength(1);
  });
});
