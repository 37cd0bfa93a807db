import { describe, expect, it } from "vitest";
import { AttemptCounter } from "./attempt-counter.js";

function subject(keysMax?: number) {
  const clock = { now: 1_000_000 };
  return { clock, counter: new AttemptCounter(() => clock.now, keysMax) };
}

describe("AttemptCounter", () => {
  it("counts the attempts of each key in a minute of its own", () => {
    const { clock, counter } = subject();
    expect([counter.count("a"), counter.count("a")]).toEqual([
      { attempts: 1, endsInMs: 60_000 },
      { attempts: 2, endsInMs: 60_000 },
    ]);
    clock.now += 10_000;
    expect(counter.count("a")).toEqual({ attempts: 3, endsInMs: 50_000 });
    expect(counter.count("b")).toEqual({ attempts: 1, endsInMs: 60_000 });
    clock.now += 50_000;
    expect(counter.count("a")).toEqual({ attempts: 1, endsInMs: 60_000 });
  });

  it("forgets an attempt that is taken back, and never counts below none", () => {
    const { counter } = subject();
    counter.takeBack("a");
    counter.count("a");
    counter.takeBack("a");
    counter.takeBack("a");
    expect(counter.count("a").attempts).toBe(1);
  });

  it("displaces the oldest key when it is full, so that memory stays bounded", () => {
    const { clock, counter } = subject(3);
    for (const key of ["a", "b", "c", "d"]) {
      clock.now += 1;
      counter.count(key);
    }
    expect(counter.count("b").attempts).toBe(2);
    expect(counter.count("a").attempts).toBe(1);
  });

  it("does not hold anybody for hours when the clock is set back", () => {
    const { clock, counter } = subject();
    counter.count("a");
    clock.now -= 3_600_000;
    expect(counter.count("a")).toEqual({ attempts: 1, endsInMs: 60_000 });
  });
});
