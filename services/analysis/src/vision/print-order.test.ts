import { describe, expect, it } from "vitest";
import { inReadingOrder, type PrintedPiece } from "./print-order.js";

/** A piece by its left and upper edge. */
const piece = (
  text: string,
  left: number,
  top: number,
  { width = 10 * text.length, height = 20 } = {},
): PrintedPiece => ({
  text,
  prob: 0.9,
  place: { x: left + width / 2, y: top + height / 2, width, height, angle: 0 },
});

/** Turns pieces around the corner of the frame. */
const skewed = (pieces: readonly PrintedPiece[], angle: number): PrintedPiece[] =>
  pieces.map(({ place, ...rest }) => {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return { ...rest, place: { ...place, x: place.x * cos - place.y * sin, y: place.x * sin + place.y * cos, angle } };
  });

const textsOf = (pieces: readonly PrintedPiece[]): string[][] =>
  inReadingOrder(pieces).map((row) => row.map(({ text }) => text));

describe("inReadingOrder", () => {
  it("joins the pieces of a line, and keeps cells and sizes apart", () => {
    const line = [piece("world", 160, 102), piece("below", 100, 200), piece("hello", 100, 100), piece("far", 400, 100)];
    expect(textsOf(line)).toEqual([["hello world", "far"], ["below"]]);
    expect(textsOf([piece("big", 100, 100, { height: 80 }), piece("small", 140, 100)]).flat()).toHaveLength(2);
  });

  it("keeps the rows of a skewed table together", () => {
    const table = [
      ...[piece("Office chairs", 100, 100), piece("4", 400, 100), piece("396.00", 500, 100)],
      ...[piece("Desk lamps", 100, 140), piece("2", 400, 140), piece("59.80", 500, 140)],
      ...[piece("Delivery", 100, 180), piece("1", 400, 180), piece("45.00", 500, 180)],
    ];
    const rows = [
      ["Office chairs", "4", "396.00"],
      ["Desk lamps", "2", "59.80"],
      ["Delivery", "1", "45.00"],
    ];
    expect(textsOf(table)).toEqual(rows);
    expect(textsOf(skewed(table, -0.12))).toEqual(rows);
    expect(textsOf(skewed(table, 0.3))).toEqual(rows);
  });

  it("reads columns of running text one after the other, between their title and what stands below", () => {
    const column = (name: string, left: number) =>
      [0, 1, 2].map((at) => piece(`${name} line ${at} of the text`, left, 100 + at * 30));
    const page = [piece("A title over both", 200, 20), ...column("first", 20), ...column("second", 300)];
    expect(textsOf([...page, piece("Page 1", 250, 400)]).map(([text]) => text)).toEqual([
      "A title over both",
      "first line 0 of the text",
      "first line 1 of the text",
      "first line 2 of the text",
      "second line 0 of the text",
      "second line 1 of the text",
      "second line 2 of the text",
      "Page 1",
    ]);
  });

  it("tells where a line is that was joined", () => {
    const [[line] = []] = inReadingOrder(skewed([piece("hello", 100, 100), piece("world", 160, 100)], 0.2));
    expect(line?.place.width).toBeCloseTo(110, 5);
    expect(line?.place.angle).toBeCloseTo(0.2, 5);
  });
});
