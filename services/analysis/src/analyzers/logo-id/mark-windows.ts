import type { Frame } from "../../types.js";
import { type Pattern, SEARCH_SIDE } from "./mark-template.js";

/** Candidate windows that are examined closely for each mark. */
const PROPOSALS_MAX = 14;
/** Window sizes as fractions of the frame's longer side, and the ratio between two sizes. */
const SMALLEST = 1 / 12;
const LARGEST = 1 / 2;
const SIZE_RATIO = 1.25;
/** Windows whose centers are closer than this fraction of their side are the same candidate. */
const NEAR = 0.4;

/** Lightness of the frame at one scale, with sums for the mean and spread of any window. */
interface Level {
  width: number;
  height: number;
  /** Pixels of the frame per pixel here. */
  scale: number;
  light: Float32Array;
  /** Norm of each window's lightness around its mean, by its top left pixel; Infinity if the window is flat. */
  spread: Float32Array;
}

interface Scored extends Window {
  score: number;
}

/**
 * Candidate positions of a mark: the windows whose lightness correlates most with the pattern, positively or negatively
 * (white on dark).
 */
export const proposeWindows = (frame: Frame, pattern: Pattern): Window[] => {
  const best: Scored[] = [];
  for (const level of frame.once(LEVELS, levelsOf)) scan(level, pattern, best);
  return best;
};

const LEVELS = Symbol("levels for marks");

const scan = (level: Level, pattern: Pattern, best: Scored[]): void => {
  const columns = level.width - SEARCH_SIDE + 1;
  const rows = level.height - SEARCH_SIDE + 1;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const spread = level.spread[y * columns + x]!;
      if (spread === Infinity) continue;
      const score = Math.abs(product(level, x, y, pattern)) / spread;
      if (score > (best.length < PROPOSALS_MAX ? 0 : best.at(-1)!.score))
        insert(best, windowAt(level, { x, y, score }));
    }
  }
};

const windowAt = ({ scale }: Level, { x, y, score }: { x: number; y: number; score: number }): Scored => ({
  x: (x + SEARCH_SIDE / 2) * scale,
  y: (y + SEARCH_SIDE / 2) * scale,
  side: SEARCH_SIDE * scale,
  angle: 0,
  score,
});

/** Keeps the best windows, one for each position. */
const insert = (best: Scored[], window: Scored): void => {
  const near = best.findIndex(
    (other) => Math.hypot(other.x - window.x, other.y - window.y) < NEAR * Math.min(other.side, window.side),
  );
  if (near >= 0) {
    if (best[near]!.score >= window.score) return;
    best.splice(near, 1);
  }
  best.push(window);
  best.sort((a, b) => b.score - a.score);
  if (best.length > PROPOSALS_MAX) best.pop();
};

const product = ({ light, width }: Level, x: number, y: number, pattern: Pattern): number => {
  let sum = 0;
  for (let row = 0; row < SEARCH_SIDE; row++) {
    const from = (y + row) * width + x;
    const at = row * SEARCH_SIDE;
    for (let column = 0; column < SEARCH_SIDE; column++) sum += light[from + column]! * pattern[at + column]!;
  }
  return sum;
};

const levelsOf = (frame: Frame): Level[] => {
  const longer = Math.max(frame.width, frame.height);
  const levels: Level[] = [];
  for (let part = SMALLEST; part <= LARGEST; part *= SIZE_RATIO) {
    const scale = (longer * part) / SEARCH_SIDE;
    const width = Math.floor(frame.width / scale);
    const height = Math.floor(frame.height / scale);
    if (width >= SEARCH_SIDE && height >= SEARCH_SIDE) levels.push(levelAt(frame, { width, height, scale }));
  }
  return levels;
};

const levelAt = (frame: Frame, size: { width: number; height: number; scale: number }): Level => {
  const { width, height, scale } = size;
  const light = new Float32Array(width * height);
  const samples = Math.max(1, Math.min(8, Math.round(scale)));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let sample = 0; sample < samples * samples; sample++) {
        const fromX = Math.floor((x + ((sample % samples) + 0.5) / samples) * scale);
        const fromY = Math.floor((y + (Math.floor(sample / samples) + 0.5) / samples) * scale);
        const at = (Math.min(frame.height - 1, fromY) * frame.width + Math.min(frame.width - 1, fromX)) * 3;
        sum += frame.rgb[at]! + 2 * frame.rgb[at + 1]! + frame.rgb[at + 2]!;
      }
      light[y * width + x] = sum / (4 * samples * samples);
    }
  }
  return { ...size, light, spread: spreadsOf(light, width, height) };
};

/** A window whose lightness has a smaller standard deviation (of 255 levels) is blank. */
const FLAT = 6;

const spreadsOf = (light: Float32Array, width: number, height: number): Float32Array => {
  const columns = width - SEARCH_SIDE + 1;
  const rows = height - SEARCH_SIDE + 1;
  const spreads = new Float32Array(columns * rows);
  const [sums, squares] = [summed(light, width, (value) => value), summed(light, width, (value) => value * value)];
  const count = SEARCH_SIDE ** 2;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const sum = windowSum(sums, width + 1, x, y);
      const variance = windowSum(squares, width + 1, x, y) - (sum * sum) / count;
      spreads[y * columns + x] = variance < FLAT * FLAT * count ? Infinity : Math.sqrt(variance);
    }
  }
  return spreads;
};

/** Integral image, with a leading row and column of zeros. */
const summed = (light: Float32Array, width: number, of: (value: number) => number): Float64Array => {
  const height = light.length / width;
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += of(light[y * width + x]!);
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1]! + row;
    }
  }
  return sums;
};

const windowSum = (sums: Float64Array, stride: number, x: number, y: number): number =>
  sums[(y + SEARCH_SIDE) * stride + x + SEARCH_SIDE]! -
  sums[y * stride + x + SEARCH_SIDE]! -
  sums[(y + SEARCH_SIDE) * stride + x]! +
  sums[y * stride + x]!;

/** A square of the frame: its center and side in pixels, rotated by `angle` radians. */
export interface Window {
  x: number;
  y: number;
  side: number;
  angle: number;
}

/**
 * The similarity of a window to the pattern, 0 to 1: colors are projected onto the direction in which the pattern's
 * light and dark parts differ most, so that a mark may have any color on any background, and then correlated with the
 * pattern.
 */
export const similarityAt = (frame: Frame, window: Window, pattern: Pattern, side: number): number => {
  const colors = sample(frame, window, side);
  const length = pattern.length;
  const sums = [0, 0, 0];
  const along = [0, 0, 0];
  const products = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < length; at++) {
    const [r, g, b] = [colors[at * 3]!, colors[at * 3 + 1]!, colors[at * 3 + 2]!];
    const weight = pattern[at]!;
    addTo(sums, [r, g, b], 1);
    addTo(along, [r, g, b], weight);
    addTo(products, [r * r, g * g, b * b, r * g, r * b, g * b], 1);
  }
  return correlation({ sums, along, products, length });
};

interface Moments {
  sums: readonly number[];
  /** Covariance of each channel with the pattern, which has norm 1. */
  along: readonly number[];
  products: readonly number[];
  length: number;
}

/** A window with a smaller spread of colors, in squared levels per pixel, is blank. */
const FLAT_COLORS = 30;

/** With direction d = along / |along|: d·along ÷ standard deviation of the colors along d. */
const correlation = ({ sums, along, products, length }: Moments): number => {
  const [r = 0, g = 0, b = 0] = along;
  const strength = Math.hypot(r, g, b);
  if (strength === 0) return 0;
  const direction = [r / strength, g / strength, b / strength] as const;
  const centered = (product: number, first: number, second: number): number =>
    (products[product] ?? 0) - ((sums[first] ?? 0) * (sums[second] ?? 0)) / length;
  const [dr, dg, db] = direction;
  const spread =
    dr * dr * centered(0, 0, 0) +
    dg * dg * centered(1, 1, 1) +
    db * db * centered(2, 2, 2) +
    2 * (dr * dg * centered(3, 0, 1) + dr * db * centered(4, 0, 2) + dg * db * centered(5, 1, 2));
  return spread < FLAT_COLORS * length ? 0 : strength / Math.sqrt(spread);
};

const addTo = (sums: number[], values: readonly number[], weight: number): void => {
  for (let at = 0; at < values.length; at++) sums[at] = sums[at]! + values[at]! * weight;
};

/** The window's colors, resized to `side` × `side`; outside the frame its edge is repeated. */
const sample = (frame: Frame, { x, y, side: span, angle }: Window, side: number): Float32Array => {
  const colors = new Float32Array(side * side * 3);
  const step = span / side;
  const [cos, sin] = [Math.cos(angle) * step, Math.sin(angle) * step];
  const half = (side - 1) / 2;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const [right, down] = [column - half, row - half];
      const fromX = Math.min(frame.width - 1, Math.max(0, Math.round(x + right * cos - down * sin)));
      const fromY = Math.min(frame.height - 1, Math.max(0, Math.round(y + right * sin + down * cos)));
      const from = (fromY * frame.width + fromX) * 3;
      const to = (row * side + column) * 3;
      for (let channel = 0; channel < 3; channel++) colors[to + channel] = frame.rgb[from + channel]!;
    }
  }
  return colors;
};
