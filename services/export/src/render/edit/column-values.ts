import type { Cut } from "./cuts.js";
import { UneditableError } from "./uneditable-error.js";

/** The types of values that exports have. */
export type ValueType = "INT64" | "BYTE_ARRAY";

const INT64_BYTES = 8;
const LENGTH_BYTES = 4;

/**
 * Where some of the plain values lie; their numbers are in order. Throws UneditableError if there are not as many.
 */
export function spansOf(plain: Uint8Array, type: ValueType, numbers: readonly number[]): Cut[] {
  const spans: Cut[] = [];
  let position = 0;
  let index = 0;
  for (const number of numbers) {
    position = skipValues(plain, type, { from: position, count: number - index });
    const end = skipValues(plain, type, { from: position, count: 1 });
    const before = spans.at(-1);
    if (before?.end === position) spans[spans.length - 1] = { start: before.start, end };
    else spans.push({ start: position, end });
    index = number + 1;
    position = end;
  }
  return spans;
}

function skipValues(plain: Uint8Array, type: ValueType, { from, count }: { from: number; count: number }): number {
  let position = from;
  if (type === "INT64") position += count * INT64_BYTES;
  else for (let skipped = 0; skipped < count; skipped++) position += LENGTH_BYTES + lengthAt(plain, position);
  if (position > plain.length) throw new UneditableError("A page of a Parquet file ends within a value.");
  return position;
}

function lengthAt(plain: Uint8Array, position: number): number {
  const byte = (index: number) => plain[position + index] ?? 0;
  return byte(0) + (byte(1) << 8) + (byte(2) << 16) + byte(3) * 2 ** 24;
}

/** The least and the greatest of some values. */
export interface Bounds<T extends bigint | Uint8Array = bigint | Uint8Array> {
  min_value: T;
  max_value: T;
}

/** The bounds of values in the plain encoding, by number or by bytes; undefined if there are none. */
export function boundsOf(pages: readonly Uint8Array[], type: ValueType): Bounds | undefined {
  return type === "INT64" ? numberBounds(pages) : textBounds(pages);
}

function numberBounds(pages: readonly Uint8Array[]): Bounds | undefined {
  let bounds: Bounds<bigint> | undefined;
  for (const page of pages) {
    const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
    for (let start = 0; start < page.length; start += INT64_BYTES) {
      const value = view.getBigInt64(start, true);
      bounds ??= { min_value: value, max_value: value };
      if (value < bounds.min_value) bounds.min_value = value;
      if (value > bounds.max_value) bounds.max_value = value;
    }
  }
  return bounds;
}

function textBounds(pages: readonly Uint8Array[]): Bounds | undefined {
  let bounds: Bounds<Uint8Array> | undefined;
  for (const page of pages) {
    let end = 0;
    while (end < page.length) {
      const start = end;
      end = skipValues(page, "BYTE_ARRAY", { from: start, count: 1 });
      const value = page.subarray(start + LENGTH_BYTES, end);
      bounds ??= { min_value: value, max_value: value };
      if (Buffer.compare(value, bounds.min_value) < 0) bounds.min_value = value;
      if (Buffer.compare(value, bounds.max_value) > 0) bounds.max_value = value;
    }
  }
  return bounds;
}
