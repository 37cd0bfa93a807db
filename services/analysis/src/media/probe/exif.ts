import { latin, uint16, uint16le, uint32, uint32le } from "./bytes.js";

const ORIENTATION = 0x112;
/** Type of a field: a number of 16 bits. */
const SHORT = 3;
const FIELD_BYTES = 12;
/** From here on the first stored row is shown as a column. */
const SIDEWAYS = 5;

/**
 * Whether viewers show the picture with width and height exchanged. `tiff` is the content of its Exif data, beginning
 * with the byte order; anything that makes no sense there counts as upright. CIPA DC-008, 4.6.
 */
export function isSideways(tiff: Uint8Array): boolean {
  const little = latin(tiff, 0, 4) === "II*\0";
  if (!little && latin(tiff, 0, 4) !== "MM\0*") return false;
  const [short, long] = little ? [uint16le, uint32le] : [uint16, uint32];
  const directory = long(tiff, 4);
  const fields = directory + 2 <= tiff.length ? short(tiff, directory) : 0;
  for (let index = 0, at = directory + 2; index < fields && at + FIELD_BYTES <= tiff.length; index++) {
    if (short(tiff, at) === ORIENTATION && short(tiff, at + 2) === SHORT) {
      const orientation = short(tiff, at + 8);
      return orientation >= SIDEWAYS && orientation <= 8;
    }
    at += FIELD_BYTES;
  }
  return false;
}

/** The size as shown. */
export function turned<S extends { width: number; height: number }>(size: S, sideways: boolean): S {
  return sideways ? { ...size, width: size.height, height: size.width } : size;
}
