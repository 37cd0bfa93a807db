import { createFrame } from "../../media/frame.js";
import type { Frame } from "../../types.js";

/** Letters as lines between points, four wide and six high: a machine with only Node has no fonts. */
const LETTERS: Readonly<Record<string, string>> = {
  A: "M0 6L2 0L4 6M1 4L3 4",
  B: "M0 0L0 6M0 0L3 0L4 1L4 2L3 3L0 3M3 3L4 4L4 5L3 6L0 6",
  C: "M4 1L3 0L1 0L0 1L0 5L1 6L3 6L4 5",
  D: "M0 0L0 6L2.6 6L4 4.6L4 1.4L2.6 0Z",
  E: "M4 0L0 0L0 6L4 6M0 3L3 3",
  F: "M4 0L0 0L0 6M0 3L3 3",
  G: "M4 1L3 0L1 0L0 1L0 5L1 6L3 6L4 5L4 3L2.4 3",
  H: "M0 0L0 6M4 0L4 6M0 3L4 3",
  I: "M2 0L2 6",
  K: "M0 0L0 6M4 0L0 3.4M1.2 2.6L4 6",
  L: "M0 0L0 6L4 6",
  M: "M0 6L0 0L2 3.4L4 0L4 6",
  N: "M0 6L0 0L4 6L4 0",
  O: "M1 0L3 0L4 1L4 5L3 6L1 6L0 5L0 1Z",
  P: "M0 6L0 0L3 0L4 1L4 2.4L3 3.4L0 3.4",
  R: "M0 6L0 0L3 0L4 1L4 2.2L3 3.2L0 3.2M2 3.2L4 6",
  S: "M4 1L3 0L1 0L0 1L0 2L1 3L3 3L4 4L4 5L3 6L1 6L0 5",
  T: "M0 0L4 0M2 0L2 6",
  U: "M0 0L0 5L1 6L3 6L4 5L4 0",
  V: "M0 0L2 6L4 0",
  W: "M0 0L1 6L2 2.4L3 6L4 0",
  Y: "M0 0L2 3L4 0M2 3L2 6",
  Д: "M0 6L0 5L4 5L4 6M0.7 5L1.4 0L3.3 0L3.3 5",
  Ж: "M2 0L2 6M0 0L2 3L0 6M4 0L2 3L4 6",
  И: "M0 0L0 6L4 0L4 6",
  Л: "M0 6L1 5L1.6 0L4 0L4 6",
  Ш: "M0 0L0 6L4 6L4 0M2 0L2 6",
  Я: "M4 6L4 0L1 0L0 1L0 2.2L1 3.2L4 3.2M2 3.2L0 6",
};

/** A word and its placement: its top left in pixels, the height of its letters, and its rotation in degrees. */
export interface StrokePrint {
  text: string;
  x: number;
  y: number;
  height: number;
  turn?: number;
}

/** Draws words in black on white, or on another picture in SVG. */
export const framedPrint = async (
  words: readonly StrokePrint[],
  { width = 640, height = 480, background = "" }: { width?: number; height?: number; background?: string } = {},
): Promise<Frame> => {
  const drawn = words.map((word) => wordInSvg(word, "#111")).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${background}${drawn}</svg>`;
  const { default: sharp } = await import("sharp");
  const rgb = await sharp(Buffer.from(svg)).flatten().removeAlpha().raw().toBuffer();
  return createFrame({ width, height, rgb, atMs: 0 });
};

/** Draws words in one color on transparent ground, as a PNG. */
export const transparentPrint = async (words: readonly StrokePrint[], ink: string): Promise<Buffer> => {
  const drawn = words.map((word) => wordInSvg(word, ink)).join("");
  const { default: sharp } = await import("sharp");
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">${drawn}</svg>`))
    .png()
    .toBuffer();
};

const wordInSvg = ({ text, x, y, height, turn = 0 }: StrokePrint, ink: string): string => {
  const letters = [...text].map(
    (letter, at) => `<path transform="translate(${at * 5.6} 0)" d="${LETTERS[letter] ?? ""}"/>`,
  );
  const place = `translate(${x} ${y}) rotate(${turn}) scale(${height / 6})`;
  return `<g transform="${place}" fill="none" stroke="${ink}" stroke-width="0.8" stroke-linejoin="round" stroke-linecap="round">${letters.join("")}</g>`;
};
