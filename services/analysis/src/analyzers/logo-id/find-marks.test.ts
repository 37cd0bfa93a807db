import { describe, expect, it } from "vitest";
import type { Frame } from "../../types.js";
import { createFrame } from "../../media/frame.js";
import { drawMark, markOf } from "../../vision/drawing.js";
import { findMarks } from "./find-marks.js";

const svgOf = (path: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="240" height="240"><path fill="#c03010" d="${path}"/></svg>`;

const ARROWS = svgOf("M2 6H14V2L22 9L14 16V12H2ZM2 16H10V22H2Z");
const BRANCH = svgOf("M11 22V14L3 8V2H6V7L12 11L18 4H22L14 13V22ZM3 15H8V20H3Z");

/** Colored gradients with some grain, like walls and skies. */
const background = (): Frame => {
  const [width, height] = [480, 360];
  const rgb = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    const slope = 90 + (pixel % width) / 6 + ((at % 3) * pixel) / width / 12;
    return slope + ((pixel * 48_271) % 13);
  });
  return createFrame({ width, height, rgb, atMs: 0 });
};

const PLACE = { side: 90, left: 150, top: 120, turn: 5 } as const;

describe("findMarks", () => {
  it("finds a mark on a badge, and white on the picture, and not another one", async () => {
    const marks = [await markOf("Arrows", ARROWS), await markOf("Branch", BRANCH)];
    const onBadge = await drawMark(background(), { ...PLACE, svg: ARROWS, badge: true });
    const white = await drawMark(background(), { ...PLACE, svg: BRANCH.replace("#c03010", "#ffffff"), badge: false });
    expect((await findMarks(onBadge, marks)).map(({ value }) => value)).toEqual(["Arrows"]);
    expect((await findMarks(white, marks)).map(({ value }) => value)).toEqual(["Branch"]);
  });

  it("says where a mark is, as high and wide as it is drawn", async () => {
    const flat = svgOf("M1 8H15V5L23 11L15 17V14H1Z");
    const picture = await drawMark(background(), { ...PLACE, turn: 0, svg: flat, badge: true });
    const [found] = await findMarks(picture, [await markOf("Flat", flat)]);
    const { left = 0, top = 0, width = 0, height = 0 } = found?.box ?? {};
    // Drawn at (150, 120) with a side of 90, of which its height takes half.
    expect(Math.abs((left + width / 2) * 480 - 195)).toBeLessThan(5);
    expect(Math.abs((top + height / 2) * 360 - 162)).toBeLessThan(5);
    expect(Math.abs(width * 480 - 82)).toBeLessThan(10);
    expect(Math.abs(height * 360 - 45)).toBeLessThan(10);
  });

  it("does not take a plain plate for a mark that is little more", async () => {
    const plate = svgOf("M1 5H23V19H1Z");
    const play = svgOf("M1 5H23V19H1ZM10 9V15L15 12Z");
    const marks = [await markOf("Play", play)];
    const namesOn = async (svg: string): Promise<string[]> =>
      (await findMarks(await drawMark(background(), { ...PLACE, svg, badge: true }), marks)).map(({ value }) => value);
    expect(await namesOn(plate)).toEqual([]);
    expect(await namesOn(play)).toEqual(["Play"]);
  });

  it("finds nothing where no mark is, and without marks", async () => {
    expect(await findMarks(background(), [await markOf("Arrows", ARROWS)])).toEqual([]);
    expect(await findMarks(background(), [])).toEqual([]);
  });
});
