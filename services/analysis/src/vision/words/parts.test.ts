import { describe, expect, it } from "vitest";
import type { PrintedLine } from "../../visual.js";
import { decodeCtc } from "./ctc.js";
import { mostOfEachLine } from "./most-of-each-line.js";
import { isPlausiblePrint } from "./plausible-print.js";
import { printRegions } from "./print-regions.js";
import { inReadingOrder } from "./reading-order.js";
import { smallestBox } from "./tilted-box.js";

describe("decodeCtc", () => {
  const steps = (...best: number[]): Float32Array =>
    Float32Array.from(best.flatMap((winner) => [0, 1, 2].map((index) => (index === winner ? 0.8 : 0.1))));

  it("merges repeats that no blank separates", () => {
    const { text, confidence } = decodeCtc(steps(1, 1, 0, 1, 2, 2, 0), ["", "o", "k"]);
    expect(text).toBe("ook");
    expect(confidence).toBeCloseTo(0.8, 5);
  });

  it("has no confidence in an empty line", () => {
    expect(decodeCtc(steps(0, 0), ["", "o", "k"])).toEqual({ text: "", confidence: 0 });
  });
});

describe("smallestBox", () => {
  it("turns with the points", () => {
    const turn = Math.PI / 6;
    const corners = [
      [-40, -10],
      [40, -10],
      [40, 10],
      [-40, 10],
    ].map(([x = 0, y = 0]) => ({
      x: 100 + x * Math.cos(turn) - y * Math.sin(turn),
      y: 50 + x * Math.sin(turn) + y * Math.cos(turn),
    }));
    const box = smallestBox(corners);
    expect([box.x, box.y, box.width, box.height].map(Math.round)).toEqual([100, 50, 80, 20]);
    expect(box.angle).toBeCloseTo(turn, 5);
  });

  it("is a point around one point", () => {
    expect(smallestBox([{ x: 3, y: 4 }])).toMatchObject({ x: 3, y: 4, width: 0, height: 0 });
  });
});

describe("printRegions", () => {
  const mapWith = (fill: (x: number, y: number) => number): Parameters<typeof printRegions>[0] => ({
    values: Float32Array.from({ length: 64 * 32 }, (_, at) => fill(at % 64, Math.floor(at / 64))),
    stride: 64,
    width: 60,
    height: 32,
  });

  it("grows the core of a line back to the whole letters, and leaves specks and doubts out", () => {
    const [region, ...others] = printRegions(
      mapWith((x, y) => {
        if (x >= 10 && x < 40 && y >= 10 && y < 16) return 0.9;
        if (x >= 50 && x < 58 && y >= 20 && y < 28) return 0.35;
        return x === 5 && y === 25 ? 0.9 : 0;
      }),
    );
    expect(others).toEqual([]);
    expect(region!.score).toBeCloseTo(0.9, 1);
    expect(region!.box.x).toBeCloseTo(24.5, 1);
    expect(region!.box.height).toBeGreaterThan(10);
  });

  it("does not look at what was filled up", () => {
    expect(printRegions(mapWith((x) => (x >= 60 ? 1 : 0)))).toEqual([]);
  });
});

describe("mostOfEachLine", () => {
  const region = (x: number, width: number, height = 20): Parameters<typeof mostOfEachLine>[0][number] => ({
    score: 0.8,
    box: { x, y: 50, width, height, angle: 0 },
  });

  it("prefers the box from afar where near by letters got lost, and where nothing was seen", () => {
    const whole = region(100, 120);
    expect(mostOfEachLine([region(110, 90)], [whole])).toEqual([whole]);
    expect(mostOfEachLine([], [whole])).toEqual([whole]);
  });

  it("keeps what near by is as long, and lines that run together from afar", () => {
    const near = region(100, 118);
    expect(mostOfEachLine([near], [region(100, 120)])).toEqual([near]);
    expect(mostOfEachLine([near], [region(100, 160, 60)])).toEqual([near]);
  });
});

describe("inReadingOrder", () => {
  const line = (text: string, left: number, top: number, height = 0.05): PrintedLine => ({
    text,
    prob: 0.9,
    box: { left, top, width: 0.2, height },
  });

  it("joins the pieces of a line, and keeps columns and sizes apart", () => {
    const pieces = [
      line("right", 0.7, 0.1),
      line("world", 0.32, 0.105),
      line("below", 0.1, 0.3),
      line("hello", 0.1, 0.1),
    ];
    expect(inReadingOrder(pieces, 1).map(({ text }) => text)).toEqual(["hello world", "right", "below"]);
    expect(inReadingOrder([line("big", 0.1, 0.1, 0.2), line("small", 0.31, 0.1)], 1)).toHaveLength(2);
  });
});

describe("isPlausiblePrint", () => {
  it.each([
    "EXIT",
    "Le Shoe Boutique",
    "24",
    "#7 km/h",
    "出口",
    "YouTube",
    "RM175LS",
    "iPhone 15 by eBay",
    "McCafe by McDonald's",
  ])("takes %s for print", (text) => {
    expect(isPlausiblePrint(text)).toBe(true);
  });

  it.each(["", "-", "I", "=~-a/", "lllll", "口a1", "Mara3UH OTKpbIT", "noKanoBaTb Ha", "BxOn CnpaBa OT KacCbl"])(
    "takes %s for a pattern",
    (text) => {
      expect(isPlausiblePrint(text)).toBe(false);
    },
  );
});
