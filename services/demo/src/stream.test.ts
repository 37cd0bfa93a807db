import { describe, expect, it } from "vitest";
import { DEMO_PLATFORMS, Stream } from "./stream.js";

const END = Date.UTC(2026, 10, 22, 12);
const DAY = 24 * 60 * 60_000;

describe("the invented stream", () => {
  it("is the same for the same seed and end", () => {
    expect(new Stream(7, END).before(50)).toEqual(new Stream(7, END).before(50));
    expect(new Stream(8, END).before(50)).not.toEqual(new Stream(7, END).before(50));
  });

  it("covers four weeks in their order, and ends on each platform once", () => {
    const postings = new Stream(7, END).before(200);
    const times = postings.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.every((at) => at >= END - 28 * DAY && at < END)).toBe(true);
    const last = postings.slice(-DEMO_PLATFORMS.length);
    expect(last.every(({ at }) => at >= END - DAY / 8)).toBe(true);
    expect(last.map(({ platform }) => platform).sort()).toEqual([...DEMO_PLATFORMS].sort());
  });

  it("says in every text that it is a demo, about subjects that do not exist", () => {
    const stream = new Stream(7, END);
    const postings = [...stream.before(300), stream.next(END + 1)];
    expect(postings.filter(({ text }) => !text.endsWith(" #demo"))).toEqual([]);
    expect(postings.filter(({ text, subject }) => !text.includes(subject.name))).toEqual([]);
    expect(postings.filter(({ author }) => !/ Invented \d+$/.test(author.name))).toEqual([]);
    expect(postings.filter(({ text }) => text.includes("{"))).toEqual([]);
  });

  it("has days with several times as many postings as a quiet one", () => {
    const days = new Map<number, number>();
    for (const { at } of new Stream(7, END).before(2000)) {
      const day = Math.floor((END - at) / DAY);
      days.set(day, (days.get(day) ?? 0) + 1);
    }
    const counts = [...days.values()].sort((a, b) => a - b);
    expect(counts.at(-1) ?? 0).toBeGreaterThan(3 * (counts[0] ?? 0));
  });
});
