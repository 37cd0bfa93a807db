import type { Frame } from "../../visual.js";

const COLUMNS_MAX = 32;
/** Of 255: noise and compression stay below both; a distant face that appears does not. */
const MEAN_DIFFERENCE = 1.5;
const BLOCK_DIFFERENCE = 10;

/** Mean difference, of 255, that counts as a cut. */
const CUT_DIFFERENCE = 30;

/** Mean colours (three channels, 0 to 255) of the blocks of a picture. */
export type Blocks = Float32Array;

/** Divides a frame into up to 32 columns of approximately square blocks and computes the mean colour of each. */
export function blocksOf({ width, height, rgb }: Frame): Blocks {
  const columns = Math.min(COLUMNS_MAX, width);
  const rows = Math.max(1, Math.min(height, Math.round((columns * height) / width)));
  const sums = new Float64Array(columns * rows * 3);
  const counts = new Float64Array(columns * rows);
  const columnOf = Uint16Array.from({ length: width }, (_, x) => Math.floor((x * columns) / width));
  for (let y = 0; y < height; y++) {
    const first = Math.floor((y * rows) / height) * columns;
    for (let x = 0, at = y * width * 3; x < width; x++, at += 3) {
      const block = first + columnOf[x]!;
      sums[block * 3]! += rgb[at]!;
      sums[block * 3 + 1]! += rgb[at + 1]!;
      sums[block * 3 + 2]! += rgb[at + 2]!;
      counts[block]!++;
    }
  }
  return Float32Array.from(sums, (sum, i) => sum / Math.max(1, counts[Math.floor(i / 3)]!));
}

/** Whether there is a cut between two neighbouring frames. */
export function isCut(a: Blocks, b: Blocks): boolean {
  if (a.length !== b.length) return true;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum > CUT_DIFFERENCE * a.length;
}

/** Whether two frames of one video are the same for the purposes of any analysis. */
export function alike(a: Blocks, b: Blocks): boolean {
  if (a.length !== b.length) return false;
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs(a[i]! - b[i]!);
    if (difference > BLOCK_DIFFERENCE) return false;
    sum += difference;
  }
  return sum <= MEAN_DIFFERENCE * a.length;
}
