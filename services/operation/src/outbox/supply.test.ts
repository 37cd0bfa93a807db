import { expect, it } from "vitest";
import { Supply } from "./supply.js";

it("keeps to its minimum while some of it is left at every look", () => {
  const supply = new Supply(8);
  for (const waiting of [0, 3, 5, 1, 8]) {
    expect(supply.look(waiting)).toBe(8);
    supply.ended(true);
  }
});

it("grows while workers use up all of it, and shrinks when they do not", () => {
  const supply = new Supply(8);
  supply.ended(true);
  expect([0, 0, 0, 0].map((waiting) => supply.look(waiting))).toEqual([16, 32, 64, 128]);
  expect([100, 60, 30, 20, 10].map((waiting) => supply.look(waiting))).toEqual([64, 32, 16, 8, 8]);
});

it("does not grow when nothing was held back: there is no more to be had", () => {
  const supply = new Supply(8);
  supply.ended(false);
  expect(supply.look(0)).toBe(8);
});
