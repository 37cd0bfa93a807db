import type { Judgement } from "./metrics.js";

/** One curve of a plot: its name and its judgements. */
export interface CalibrationCurve {
  name: string;
  judgements: readonly Judgement[];
}

const SIZE = 320;
const MARGIN = 40;
const BINS = 10;
/** Bins with fewer texts are dominated by chance. */
const BIN_TEXTS_MIN = 10;
const COLOURS = ["#1b6ca8", "#c8553d", "#588157"];

/**
 * Draws the accuracy of a model (vertical) against its confidence (horizontal) as SVG; the diagonal is perfect
 * calibration, and the area of a dot is proportional to its number of texts.
 */
export const calibrationPlot = (title: string, curves: readonly CalibrationCurve[]): string => {
  const side = SIZE - 2 * MARGIN;
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE + 20 * curves.length}" font-family="sans-serif" font-size="11">`,
    `<title>${title}: calibration on the development data</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    `<rect x="${MARGIN}" y="${MARGIN}" width="${side}" height="${side}" fill="none" stroke="#999999"/>`,
    line(0, 0, 1, 1),
    text(SIZE / 2, 20, title),
    text(SIZE / 2, SIZE - 6, "certainty"),
    `<text x="12" y="${SIZE / 2}" text-anchor="middle" transform="rotate(-90 12 ${SIZE / 2})">share right</text>`,
    ...ticks.flatMap((tick) => [
      text(MARGIN + tick * side, SIZE - MARGIN + 14, String(tick)),
      text(MARGIN - 16, SIZE - MARGIN - tick * side + 4, String(tick)),
    ]),
    ...curves.flatMap(({ name, judgements }, at) => [
      ...curve(judgements, COLOURS[at % COLOURS.length] ?? "#000000"),
      `<text x="${MARGIN}" y="${SIZE + 12 + 20 * at}" fill="${COLOURS[at % COLOURS.length] ?? "#000000"}">${name}</text>`,
    ]),
    "</svg>",
  ];
  return `${parts.join("\n")}\n`;
};

const across = (value: number): number => Math.round((MARGIN + value * (SIZE - 2 * MARGIN)) * 10) / 10;
const upwards = (value: number): number => Math.round((SIZE - MARGIN - value * (SIZE - 2 * MARGIN)) * 10) / 10;

const line = (x1: number, y1: number, x2: number, y2: number): string =>
  `<line x1="${across(x1)}" y1="${upwards(y1)}" x2="${across(x2)}" y2="${upwards(y2)}" stroke="#bbbbbb" stroke-dasharray="4 3"/>`;

const text = (x: number, y: number, words: string): string =>
  `<text x="${x}" y="${y}" text-anchor="middle">${words}</text>`;

const curve = (judgements: readonly Judgement[], colour: string): string[] => {
  const dots = Array.from({ length: BINS }, (_, bin) => {
    const own = judgements.filter(({ prob }) => Math.min(BINS - 1, Math.floor(prob * BINS)) === bin);
    const right = own.filter(({ predicted, truth }) => predicted === truth).length;
    const certainty = own.reduce((sum, { prob }) => sum + prob, 0);
    return { texts: own.length, x: across(certainty / own.length), y: upwards(right / own.length) };
  }).filter(({ texts }) => texts >= BIN_TEXTS_MIN);
  const points = dots.map(({ x, y }) => `${x},${y}`).join(" ");
  const radius = (texts: number): number => Math.round((2 + 14 * Math.sqrt(texts / judgements.length)) * 10) / 10;
  return [
    `<polyline points="${points}" fill="none" stroke="${colour}"/>`,
    ...dots.map(
      ({ x, y, texts }) => `<circle cx="${x}" cy="${y}" r="${radius(texts)}" fill="${colour}" opacity="0.5"/>`,
    ),
  ];
};
