import { expect, it, vi } from "vitest";
import { repeat } from "./repetition.js";

const A_LONG_TIME_MS = 60_000;

it("pauses between two turns of work, until it is woken", async () => {
  let turns = 0;
  const repetition = repeat(() => Promise.resolve((turns++, A_LONG_TIME_MS)));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(turns).toBe(1);
  repetition.wake();
  await vi.waitFor(() => expect(turns).toBe(2));
  await repetition.stop(0);
});

it("pauses before the first turn of work if one is set, until it is woken", async () => {
  let turns = 0;
  const repetition = repeat(() => Promise.resolve((turns++, A_LONG_TIME_MS)), { firstMs: A_LONG_TIME_MS });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(turns).toBe(0);
  repetition.wake();
  await vi.waitFor(() => expect(turns).toBe(1));
  await repetition.stop(0);
});

it("has the work done again when it is woken during it", async () => {
  let turns = 0;
  let finish = (): void => undefined;
  const repetition = repeat(() => {
    turns += 1;
    return new Promise((resolve) => (finish = () => resolve(A_LONG_TIME_MS)));
  });
  repetition.wake();
  repetition.wake();
  finish();
  await vi.waitFor(() => expect(turns).toBe(2));
  finish();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(turns).toBe(2);
  await repetition.stop(0);
});

it("stops during a pause, and after the work that is under way", async () => {
  let ended = false;
  const pausing = repeat(() => Promise.resolve(A_LONG_TIME_MS));
  await pausing.stop(0);
  const working = repeat(async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    ended = true;
    return A_LONG_TIME_MS;
  });
  await working.stop(0);
  expect(ended).toBe(true);
});
