import type { Frame } from "../../visual.js";
import { createFrame } from "./frame.js";
import { resizeRegion } from "./resize.js";

/** A square in a frame's pixels that may be rotated. */
export interface TurnedSquare {
  /** A point of the square. */
  x: number;
  y: number;
  /** Position of that point in the square, rightwards and downwards, 0 to 1. */
  across: number;
  down: number;
  side: number;
  /** Clockwise, in radians. */
  angle: number;
}

/** Half the side of the copied area around the point, in sides of the square: every corner is within 1.42. */
const REACH = 1.5;

/** Cuts out the square as an upright picture with sides of `size` pixels, black outside the frame. */
export const cutTurned = (frame: Frame, square: TurnedSquare, size: number): Frame => {
  const { x, y, side, angle } = square;
  const reach = side * REACH;
  const around = { left: x - reach, top: y - reach, width: reach * 2, height: reach * 2 };
  const length = Math.round(size * REACH * 2);
  const copy = resizeRegion(frame, { region: around, width: length, height: length });
  const scale = (side / size) * (length / around.width);
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  const rgb = new Uint8Array(size * size * 3);
  for (let row = 0, to = 0; row < size; row += 1) {
    const down = row + 0.5 - square.down * size;
    for (let column = 0; column < size; column += 1, to += 3) {
      const across = column + 0.5 - square.across * size;
      const at = { x: across * cos - down * sin + length / 2 - 0.5, y: across * sin + down * cos + length / 2 - 0.5 };
      sample(copy, length, at, rgb.subarray(to, to + 3));
    }
  }
  return createFrame({ width: size, height: size, rgb, atMs: frame.atMs });
};

/** Bilinear sample of a square picture; rounding keeps even areas unchanged. */
const sample = (rgb: Uint8Array, length: number, at: { x: number; y: number }, into: Uint8Array): void => {
  const left = Math.min(length - 2, Math.max(0, Math.floor(at.x)));
  const top = Math.min(length - 2, Math.max(0, Math.floor(at.y)));
  const [right, low] = [at.x - left, at.y - top];
  for (let channel = 0; channel < 3; channel += 1) {
    const from = (top * length + left) * 3 + channel;
    const below = from + length * 3;
    const high = rgb[from]! * (1 - right) + rgb[from + 3]! * right;
    into[channel] = high * (1 - low) + (rgb[below]! * (1 - right) + rgb[below + 3]! * right) * low + 0.5;
  }
};
