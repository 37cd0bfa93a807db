import { describe, expect, it } from "vitest";
import type { Frame } from "../../visual.js";
import { cutTurned } from "./cut-turned.js";
import { createFrame } from "./frame.js";

/** Red increases to the right and green downwards, by two per pixel. */
const ramp = (side = 100): Frame => {
  const rgb = new Uint8Array(side * side * 3);
  for (let at = 0; at < side * side; at += 1) rgb.set([(at % side) * 2, Math.floor(at / side) * 2, 0], at * 3);
  return createFrame({ width: side, height: side, rgb, atMs: 0 });
};
const corners = ({ rgb, width }: Frame): number[][] =>
  [0, width - 1, width * (width - 1)].map((pixel) => [rgb[pixel * 3]!, rgb[pixel * 3 + 1]!]);
const near = (actual: number[][], expected: number[][]): void =>
  actual.forEach((pair, i) => pair.forEach((level, c) => expect(Math.abs(level - expected[i]![c]!)).toBeLessThan(4)));
const middle = { x: 50, y: 50, across: 0.5, down: 0.5, side: 20 } as const;

describe("cutTurned", () => {
  it("cuts an upright square", () => {
    near(corners(cutTurned(ramp(), { ...middle, angle: 0 }, 20)), [
      [80, 80],
      [118, 80],
      [80, 118],
    ]);
  });

  it("turns the square clockwise", () => {
    // The square's right is down in the frame, and its down is left in the frame.
    near(corners(cutTurned(ramp(), { ...middle, angle: Math.PI / 2 }, 20)), [
      [118, 80],
      [118, 118],
      [80, 80],
    ]);
  });

  it("puts the point where it belongs, at any size", () => {
    const { rgb } = cutTurned(ramp(), { ...middle, across: 0, down: 0, angle: 0.5 }, 10);
    near([[rgb[0]!, rgb[1]!]], [[101, 102]]);
  });

  it("is black beyond the frame", () => {
    const { rgb } = cutTurned(ramp(), { ...middle, x: -50, y: -50, angle: 0.3 }, 8);
    expect([...rgb].every((level) => level === 0)).toBe(true);
  });
});
