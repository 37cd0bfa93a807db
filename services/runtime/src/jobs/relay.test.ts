import pino from "pino";
import { afterEach, expect, it, vi } from "vitest";
import type { Queue } from "../queue/queue.js";
import type { AnyDueKind } from "./due-kind.js";
import { PublishWindow, startRelay } from "./relay.js";

const SECOND_MS = 1_000;

afterEach(() => vi.useRealTimers());

it("looks again a second after a slow look at the latest while there is work", async () => {
  vi.useFakeTimers();
  let looks = 0;
  const kind: Pick<AnyDueKind, "name" | "prepare" | "readDue"> = {
    name: "slow",
    prepare: () => {
      looks += 1;
      return new Promise((resolve) => setTimeout(resolve, 9 * SECOND_MS));
    },
    async *readDue() {
      yield await Promise.resolve({ id: 1, dueAt: 0 });
    },
  };
  // So full that nothing is published.
  const queue: Pick<Queue, "depth"> = { depth: () => Promise.resolve(1_000) };
  const relay = startRelay({
    name: "slow",
    queue: queue as Queue,
    kinds: [kind as AnyDueKind],
    waitingMin: 8,
    checkMs: 500,
    inWork: () => 0,
    log: pino({ enabled: false }),
    now: Date.now,
  });
  await vi.advanceTimersByTimeAsync(55 * SECOND_MS);
  expect(looks).toBe(6);
  const stopped = relay.stop(0);
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  await stopped;
});

it("keeps to its minimum while some of it is left at every look", () => {
  const window = new PublishWindow(8);
  for (const waiting of [0, 3, 5, 1, 8]) {
    expect(window.observe(waiting)).toBe(8);
    window.finish(true);
  }
});

it("grows while workers use up all of it, and shrinks when they do not", () => {
  const window = new PublishWindow(8);
  window.finish(true);
  expect([0, 0, 0, 0].map((waiting) => window.observe(waiting))).toEqual([16, 32, 64, 128]);
  expect([100, 60, 30, 20, 10].map((waiting) => window.observe(waiting))).toEqual([64, 32, 16, 8, 8]);
});

it("does not grow when nothing was held back: there is no more to be had", () => {
  const window = new PublishWindow(8);
  window.finish(false);
  expect(window.observe(0)).toBe(8);
});
