import type { Box, Frame } from "../types.js";

/** The contents of a frame. */
interface Pixels {
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

/** A part of a frame in pixels, which may be fractional; it may extend beyond the frame. */
export interface Region {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The target of a resized region. */
interface ResizeOptions {
  /** Of the result, in pixels. */
  width: number;
  height: number;
  /** Default: the whole frame. */
  region?: Region;
  /** Gray level, 0 to 255, outside the frame. Default 0, black. */
  beyond?: number;
}

/** A box of a frame in pixels. */
export const regionOf = (frame: Frame, box: Box): Region => ({
  left: box.left * frame.width,
  top: box.top * frame.height,
  width: box.width * frame.width,
  height: box.height * frame.height,
});

/** The smallest region around the frame, or around a region of it, with the given ratio of width to height: a letterbox. */
export const letterbox = (region: Region | Frame, ratio = 1): Region => {
  const { left, top, width, height } = "rgb" in region ? { left: 0, top: 0, ...sizeOf(region) } : region;
  const wide = Math.max(width, height * ratio);
  const high = Math.max(height, width / ratio);
  return { left: left - (wide - width) / 2, top: top - (high - height) / 2, width: wide, height: high };
};

/** Scales a region about its center by a factor. */
export const scaleRegion = ({ left, top, width, height }: Region, times: number): Region => ({
  left: left - (width * (times - 1)) / 2,
  top: top - (height * (times - 1)) / 2,
  width: width * times,
  height: height * times,
});

const sizeOf = ({ width, height }: Frame): { width: number; height: number } => ({ width, height });

/**
 * Resizes a region of a frame: bilinear for enlarging; for shrinking, the weighted mean of all pixels that are merged
 * (a triangle filter like Pillow's BILINEAR), so that fine patterns do not flicker. Three bytes per pixel, RGB.
 */
export const resizeRegion = (frame: Frame, options: ResizeOptions): Uint8Array => {
  const { width, height, region = { left: 0, top: 0, ...sizeOf(frame) }, beyond = 0 } = options;
  const columns = tapsOf({ from: region.left, length: region.width, size: width, limit: frame.width });
  const rows = tapsOf({ from: region.top, length: region.height, size: height, limit: frame.height });
  const first = Math.min(...rows.starts);
  const last = Math.max(...rows.ends);
  const narrow = shrinkColumns(frame, { columns, first, last, beyond });
  const rgb = new Uint8Array(width * height * 3);
  const line = new Float32Array(width * 3);
  for (let y = 0; y < height; y += 1) {
    line.fill(rows.beyond[y]! * beyond + 0.5);
    for (let row = rows.starts[y]!; row < rows.ends[y]!; row += 1) {
      const weight = rows.weights[y * rows.width + row - rows.starts[y]!]!;
      const from = (row - first) * width * 3;
      for (let i = 0; i < line.length; i += 1) line[i]! += weight * narrow[from + i]!;
    }
    // Storing into bytes truncates fractions; the 0.5 above rounds them.
    rgb.set(line, y * width * 3);
  }
  return rgb;
};

/** The same as floats for a network: rows of pixels with three channels, 0 to 255. */
export const resizeToFloats = (frame: Frame, options: ResizeOptions): Float32Array =>
  Float32Array.from(resizeRegion(frame, options));

/** The source pixels and weights of each target pixel along one axis. */
interface Taps {
  starts: Int32Array;
  ends: Int32Array;
  /** `width` for each target pixel; they and `beyond` sum to 1. */
  weights: Float32Array;
  width: number;
  /** The share of the area outside the frame. */
  beyond: Float32Array;
}

interface Axis {
  from: number;
  length: number;
  /** Target pixels. */
  size: number;
  /** Source pixels. */
  limit: number;
}

const tapsOf = ({ from, length, size, limit }: Axis): Taps => {
  const scale = length / size;
  const reach = Math.max(1, scale);
  const width = Math.ceil(reach * 2) + 2;
  const taps: Taps = {
    starts: new Int32Array(size),
    ends: new Int32Array(size),
    weights: new Float32Array(size * width),
    width,
    beyond: new Float32Array(size),
  };
  const inside = (pixel: number): boolean => pixel >= 0 && pixel < limit;
  for (let at = 0; at < size; at += 1) {
    const center = from + (at + 0.5) * scale;
    const [low, high] = [Math.floor(center - reach), Math.ceil(center + reach)];
    const start = Math.min(limit, Math.max(0, low));
    const weightOf = (pixel: number): number => Math.max(0, 1 - Math.abs(pixel + 0.5 - center) / reach);
    let sum = 0;
    let outside = 0;
    for (let pixel = low; pixel < high; pixel += 1) {
      const weight = weightOf(pixel);
      sum += weight;
      // At the frame's own border half a pixel of the filter lies outside; only regions extend beyond it.
      if (!inside(pixel) && (pixel + 1 <= from || pixel >= from + length)) sum -= weight;
      else if (!inside(pixel)) outside += weight;
    }
    const end = Math.max(start, Math.min(limit, high));
    for (let pixel = start; pixel < end; pixel += 1) taps.weights[at * width + pixel - start] = weightOf(pixel) / sum;
    taps.starts[at] = start;
    taps.ends[at] = end;
    taps.beyond[at] = outside / sum;
  }
  return taps;
};

/** Rows `first` to `last` of the frame, resized along the horizontal axis only. */
const shrinkColumns = (
  { rgb, width: frameWidth }: Frame,
  { columns, first, last, beyond }: { columns: Taps; first: number; last: number; beyond: number },
): Float32Array => {
  const size = columns.starts.length;
  const out = new Float32Array(Math.max(0, last - first) * size * 3);
  for (let row = first, to = 0; row < last; row += 1) {
    for (let x = 0; x < size; x += 1, to += 3) {
      let red = columns.beyond[x]! * beyond;
      let green = red;
      let blue = red;
      const start = columns.starts[x]!;
      const end = columns.ends[x]!;
      for (let column = start, tap = x * columns.width; column < end; column += 1, tap += 1) {
        const weight = columns.weights[tap]!;
        const pixel = (row * frameWidth + column) * 3;
        red += weight * rgb[pixel]!;
        green += weight * rgb[pixel + 1]!;
        blue += weight * rgb[pixel + 2]!;
      }
      out[to] = red;
      out[to + 1] = green;
      out[to + 2] = blue;
    }
  }
  return out;
};

/** A square in a frame's pixels that may be rotated. */
interface RotatedSquare {
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
export const cropRotated = (frame: Frame, square: RotatedSquare, size: number): Frame => {
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
      sampleBilinear(copy, length, at, rgb.subarray(to, to + 3));
    }
  }
  return createFrame({ width: size, height: size, rgb, atMs: frame.atMs });
};

/** Bilinear sample of a square picture; rounding keeps even areas unchanged. */
const sampleBilinear = (rgb: Uint8Array, length: number, at: { x: number; y: number }, into: Uint8Array): void => {
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

/** Shared area of two boxes, as a fraction of the frame. */
const sharedArea = (a: Box, b: Box): number => {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
};

/** Intersection over union, 0 to 1. */
export const overlap = (a: Box, b: Box): number => {
  const shared = sharedArea(a, b);
  return shared === 0 ? 0 : shared / (a.width * a.height + b.width * b.height - shared);
};

/** Fraction of `inner` that lies within `outer`, 0 to 1. */
export const shareWithin = (inner: Box, outer: Box): number => sharedArea(inner, outer) / (inner.width * inner.height);
