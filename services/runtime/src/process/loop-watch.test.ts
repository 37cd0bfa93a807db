import { expect, it } from "vitest";
import { LoopWatch } from "./loop-watch.js";

/** A watch on a clock that only its work moves. */
function watchOnClock() {
  let time = 5_000;
  const watch = new LoopWatch(() => time);
  const work = (ms: number, route: string, companyId: number) => {
    time += ms;
    watch.note({ route, companyId });
  };
  return { watch, work, pass: (ms: number) => (time += ms), now: () => time };
}

it("names the route and the company that took most of a stop, also in many pieces", () => {
  const { watch, work, now } = watchOnClock();
  work(3_000, "before", 9);
  const from = now();
  work(40, "/small", 2);
  for (let piece = 0; piece < 20; piece += 1) work(100, "/large", 1);
  work(40, "/small", 3);
  expect(watch.stallSince(from, 2_000)).toEqual({ route: "/large", companyId: 1, ms: 2_000 });
});

it("names work in the background where nobody noted what took the time", () => {
  const { watch, work, pass, now } = watchOnClock();
  const from = now();
  work(5, "/small", 2);
  pass(3_000);
  expect(watch.stallSince(from, 3_000)).toEqual({ route: "background", companyId: undefined, ms: 3_000 });
});

it("remembers the latest work, however much there was", () => {
  const { watch, work, now } = watchOnClock();
  for (let piece = 0; piece < 5_000; piece += 1) work(1, "/earlier", 1);
  const from = now();
  work(1_500, "/late", 4);
  expect(watch.stallSince(from, 1_500)).toMatchObject({ route: "/late", companyId: 4 });
});
