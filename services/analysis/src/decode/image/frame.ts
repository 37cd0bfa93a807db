import type { Frame } from "../../visual.js";

/** The contents of a frame. */
export interface Pixels {
  width: number;
  height: number;
  /** Three bytes per pixel, rows from top to bottom. */
  rgb: Uint8Array;
  /** Milliseconds from the start of a video; 0 for a still. */
  atMs: number;
}

/** Creates a frame from pixels, without copying them. Throws a RangeError if their number is wrong. */
export const createFrame = ({ width, height, rgb, atMs }: Pixels): Frame => {
  if (width < 1 || height < 1 || rgb.length !== width * height * 3) {
    throw new RangeError(`${rgb.length} bytes are not a picture of ${width} x ${height} pixels`);
  }
  const made = new Map<symbol, unknown>();
  const frame: Frame = {
    width,
    height,
    rgb,
    atMs,
    once<V>(key: symbol, make: (frame: Frame) => V): V {
      if (!made.has(key)) made.set(key, make(frame));
      // A key belongs to one function, and therefore to one type.
      return made.get(key) as V;
    },
  };
  return frame;
};
