import { expect, it } from "vitest";
import { LoopPace } from "./loop-pace.js";

it("gives each part of long work a turn of its own", async () => {
  let turns = 0;
  const nextTurn = () => {
    turns++;
    return Promise.resolve();
  };
  const long = new LoopPace(nextTurn, 0);
  for (let step = 0; step < 5; step++) await long.step();
  expect(turns).toBe(5);
  const short = new LoopPace(nextTurn, 1e9);
  for (let step = 0; step < 5; step++) await short.step();
  expect(turns).toBe(6);
});

it("lets events in between", async () => {
  let isHandled = false;
  setImmediate(() => (isHandled = true));
  const pace = new LoopPace(undefined, 0);
  await pace.step();
  await pace.step();
  expect(isHandled).toBe(true);
});
