import { describe, expect, it } from "vitest";
import type { Frame } from "../types.js";
import { createFrame, cropRotated, letterbox, regionOf, resizeRegion, resizeToFloats } from "./frame.js";

describe("createFrame", () => {
  const frame = createFrame({ width: 2, height: 1, rgb: new Uint8Array(6), atMs: 1500 });

  it("computes what is asked for under a key once", () => {
    const key = Symbol("test");
    let calls = 0;
    const ask = (): number => frame.once(key, () => (calls += 1));
    expect([ask(), ask()]).toEqual([1, 1]);
  });

  it("keeps the values of several keys apart", () => {
    const [a, b] = [Symbol("a"), Symbol("a")];
    expect([frame.once(a, () => "one"), frame.once(b, ({ atMs }) => atMs)]).toEqual(["one", 1500]);
  });

  it("refuses pixels that are not as many as the size says", () => {
    expect(() => createFrame({ width: 2, height: 2, rgb: new Uint8Array(6), atMs: 0 })).toThrow(RangeError);
  });
});

describe("resizing", () => {
  /** A gray picture with the level that a function returns for each pixel. */
  const grayFrame = (width: number, height: number, level: (x: number, y: number) => number): Frame => {
    const rgb = new Uint8Array(width * height * 3);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) rgb.fill(level(x, y), (y * width + x) * 3, (y * width + x + 1) * 3);
    }
    return createFrame({ width, height, rgb, atMs: 0 });
  };
  const levels = (rgb: Uint8Array): number[] => Array.from(rgb).filter((_, i) => i % 3 === 0);

  describe("resizeRegion", () => {
    it("gives the same pixels at the same size", () => {
      const frame = grayFrame(5, 4, (x, y) => x * 40 + y);
      expect(resizeRegion(frame, { width: 5, height: 4 })).toEqual(frame.rgb);
    });

    it("keeps the mean of a fine pattern when it shrinks", () => {
      const checkered = grayFrame(64, 64, (x, y) => ((x + y) % 2) * 200);
      const small = levels(resizeRegion(checkered, { width: 8, height: 8 }));
      for (const level of small) expect(Math.abs(level - 100)).toBeLessThanOrEqual(3);
    });

    it("passes from one pixel to the next when it grows", () => {
      const edge = grayFrame(2, 1, (x) => x * 200);
      expect(levels(resizeRegion(edge, { width: 4, height: 1 }))).toEqual([0, 50, 150, 200]);
    });

    it("keeps colors apart", () => {
      const frame = createFrame({ width: 1, height: 1, rgb: Uint8Array.of(10, 20, 30), atMs: 0 });
      expect(Array.from(resizeRegion(frame, { width: 2, height: 1 }))).toEqual([10, 20, 30, 10, 20, 30]);
    });

    it("fills what lies beyond the frame with a gray", () => {
      const white = grayFrame(4, 4, () => 255);
      const region = { left: -4, top: 0, width: 12, height: 4 };
      expect(levels(resizeRegion(white, { region, width: 3, height: 1, beyond: 128 }))).toEqual([146, 223, 146]);
      expect(levels(resizeRegion(white, { region: { ...region, left: -40 }, width: 2, height: 1 }))).toEqual([0, 0]);
    });

    it("cuts out a box", () => {
      const halves = grayFrame(10, 10, (x) => (x < 5 ? 10 : 90));
      const region = regionOf(halves, { left: 0.7, top: 0.2, width: 0.3, height: 0.5 });
      expect(new Set(resizeRegion(halves, { region, width: 3, height: 3 }))).toEqual(new Set([90]));
    });

    it("gives numbers for networks", () => {
      expect(
        resizeToFloats(
          grayFrame(3, 3, () => 7),
          { width: 1, height: 1 },
        ),
      ).toEqual(Float32Array.of(7, 7, 7));
    });
  });

  describe("letterbox", () => {
    it("is the smallest region of a shape around the frame, with the frame in its middle", () => {
      expect(letterbox(grayFrame(4, 2, () => 0))).toEqual({ left: 0, top: -1, width: 4, height: 4 });
      expect(letterbox({ left: 10, top: 10, width: 2, height: 6 }, 2)).toEqual({
        left: 5,
        top: 10,
        width: 12,
        height: 6,
      });
    });
  });
});

describe("cropping", () => {
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
      near(corners(cropRotated(ramp(), { ...middle, angle: 0 }, 20)), [
        [80, 80],
        [118, 80],
        [80, 118],
      ]);
    });

    it("turns the square clockwise", () => {
      // The square's right is down in the frame, and its down is left in the frame.
      near(corners(cropRotated(ramp(), { ...middle, angle: Math.PI / 2 }, 20)), [
        [118, 80],
        [118, 118],
        [80, 80],
      ]);
    });

    it("puts the point where it belongs, at any size", () => {
      const { rgb } = cropRotated(ramp(), { ...middle, across: 0, down: 0, angle: 0.5 }, 10);
      near([[rgb[0]!, rgb[1]!]], [[101, 102]]);
    });

    it("is black beyond the frame", () => {
      const { rgb } = cropRotated(ramp(), { ...middle, x: -50, y: -50, angle: 0.3 }, 8);
      expect([...rgb].every((level) => level === 0)).toBe(true);
    });
  });
});
