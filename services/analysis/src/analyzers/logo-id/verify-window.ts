import type { Frame } from "../../types.js";
import type { Pattern } from "./pattern.js";

/** A square of the frame: its centre and side in pixels, rotated by `angle` radians. */
export interface Window {
  x: number;
  y: number;
  side: number;
  angle: number;
}

/**
 * The similarity of a window to the pattern, 0 to 1: colours are projected onto the direction in which the pattern's
 * light and dark parts differ most, so that a mark may have any colour on any background, and then correlated with the
 * pattern.
 */
export const similarityAt = (frame: Frame, window: Window, pattern: Pattern, side: number): number => {
  const colours = sample(frame, window, side);
  const length = pattern.length;
  const sums = [0, 0, 0];
  const along = [0, 0, 0];
  const products = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < length; at++) {
    const [r, g, b] = [colours[at * 3]!, colours[at * 3 + 1]!, colours[at * 3 + 2]!];
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

/** A window with a smaller spread of colours, in squared levels per pixel, is blank. */
const FLAT = 30;

/** With direction d = along / |along|: d·along ÷ standard deviation of the colours along d. */
const correlation = ({ sums, along, products, length }: Moments): number => {
  const [r = 0, g = 0, b = 0] = along;
  const strength = Math.hypot(r, g, b);
  if (strength === 0) return 0;
  const direction = [r / strength, g / strength, b / strength] as const;
  const centred = (product: number, first: number, second: number): number =>
    (products[product] ?? 0) - ((sums[first] ?? 0) * (sums[second] ?? 0)) / length;
  const [dr, dg, db] = direction;
  const spread =
    dr * dr * centred(0, 0, 0) +
    dg * dg * centred(1, 1, 1) +
    db * db * centred(2, 2, 2) +
    2 * (dr * dg * centred(3, 0, 1) + dr * db * centred(4, 0, 2) + dg * db * centred(5, 1, 2));
  return spread < FLAT * length ? 0 : strength / Math.sqrt(spread);
};

const addTo = (sums: number[], values: readonly number[], weight: number): void => {
  for (let at = 0; at < values.length; at++) sums[at] = sums[at]! + values[at]! * weight;
};

/** The window's colours, resized to `side` × `side`; outside the frame its edge is repeated. */
const sample = (frame: Frame, { x, y, side: span, angle }: Window, side: number): Float32Array => {
  const colours = new Float32Array(side * side * 3);
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
      for (let channel = 0; channel < 3; channel++) colours[to + channel] = frame.rgb[from + channel]!;
    }
  }
  return colours;
};
