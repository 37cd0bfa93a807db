import { expect, it } from "vitest";
import { PublishWindow } from "./relay.js";

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
