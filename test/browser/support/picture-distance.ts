import sharp from "sharp";

/** Cells into which pictures are shrunk: letters, which other fonts draw elsewhere, are gray there, and blocks stay. */
const COLUMNS = 32;
const ROWS = 20;
/** Cells on a side of the parts that are compared. */
const PART = 5;

/**
 * How far two pictures of a screen are from each other: 0 the same, 1 one of them has a black part where the other is white.
 * Parts are compared by how light they are, so that other fonts and numbers make little difference.
 */
export async function distanceOf(one: Buffer, other: Buffer): Promise<number> {
  const [left, right] = [await lightness(one), await lightness(other)];
  const parts: number[] = [];
  for (let row = 0; row + PART <= ROWS; row++) {
    for (let column = 0; column + PART <= COLUMNS; column++) {
      const cells = Array.from({ length: PART * PART }, (_, at) => {
        const place = (row + Math.floor(at / PART)) * COLUMNS + column + (at % PART);
        return (left[place] ?? 0) - (right[place] ?? 0);
      });
      // What is lighter in one cell and darker in the next, such as a bar that is higher today, is not missing.
      parts.push(Math.abs(meanOf(cells)));
    }
  }
  return Math.max(...parts);
}

async function lightness(picture: Buffer): Promise<number[]> {
  const { data } = await sharp(picture)
    .flatten({ background: "white" })
    .grayscale()
    .resize(COLUMNS, ROWS, { fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data].map((value) => value / 255);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
