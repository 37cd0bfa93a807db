import type { Frame } from "../../types.js";
import { SEARCH_SIDE } from "./mark-template.js";
import type { Pattern } from "./pattern.js";
import type { Window } from "./verify-window.js";

/** Candidate windows that are examined closely for each mark. */
const PROPOSALS_MAX = 14;
/** Window sizes as fractions of the frame's longer side, and the ratio between two sizes. */
const SMALLEST = 1 / 12;
const LARGEST = 1 / 2;
const SIZE_RATIO = 1.25;
/** Windows whose centres are closer than this fraction of their side are the same candidate. */
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
