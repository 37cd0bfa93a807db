import { type ByteWriter } from "hyparquet-writer";
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
import { readRleBitPackedHybrid } from "hyparquet/src/encoding.js";

/** Small numbers of entries: levels, or indexes of a dictionary. */
export type Numbers = Repeated | Uint32Array;

/** Numbers that are all the same, as most levels are: such pages need not be taken apart number by number. */
export interface Repeated {
  readonly value: number;
  readonly length: number;
}

/** Shorter runs are written as single numbers. */
const RUN_MIN = 8;

/** Bits of the numbers up to the greatest. */
export function widthOf(greatest: number): number {
  return Math.ceil(Math.log2(greatest + 1));
}

/** Reads numbers in the hybrid encoding of Parquet. */
export function readNumbers(bytes: Uint8Array, width: number, length: number): Numbers {
  if (width === 0) return { value: 0, length };
  return readRun(bytes, width, length) ?? readEach(bytes, width, length);
}

/** Undefined if the numbers are not one run of a byte each. */
function readRun(bytes: Uint8Array, width: number, length: number): Repeated | undefined {
  if (width > 8) return undefined;
  let header = 0;
  let position = 0;
  for (let shift = 0, byte = 0x80; byte > 0x7f && shift < 28; shift += 7) {
    byte = bytes[position++] ?? 0;
    header |= (byte & 0x7f) << shift;
  }
  const isRun = (header & 1) === 0 && header >>> 1 === length && position < bytes.length;
  return isRun ? { value: bytes[position] ?? 0, length } : undefined;
}

function readEach(bytes: Uint8Array, width: number, length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (length > 0) readRleBitPackedHybrid({ view, offset: 0 }, width, numbers, bytes.length);
  return numbers;
}

/** Writes numbers in the hybrid encoding of Parquet; returns the bytes written. */
export function writeNumbers(writer: ByteWriter, numbers: Numbers, width: number): number {
  if (numbers instanceof Uint32Array) return writeRleBitPackedHybrid(writer, numbers, width);
  const { value, length } = numbers;
  if (length < RUN_MIN || width > 8) return writeRleBitPackedHybrid(writer, eachOf(numbers), width);
  const begin = writer.offset;
  writer.appendVarInt(length << 1);
  if (width > 0) writer.appendUint8(value);
  return writer.offset - begin;
}

/** The numbers one by one. */
export function eachOf(numbers: Numbers): Uint32Array {
  return numbers instanceof Uint32Array ? numbers : new Uint32Array(numbers.length).fill(numbers.value);
}

/** Numbers without those at some places, which are in order. */
export function withoutNumbers(numbers: Numbers, dropped: readonly number[]): Numbers {
  const [first] = dropped;
  if (first === undefined) return numbers;
  const length = numbers.length - dropped.length;
  if (!(numbers instanceof Uint32Array)) return { ...numbers, length };
  const kept = numbers.slice(0, length);
  let size = first;
  for (const [index, place] of dropped.entries()) {
    const end = dropped[index + 1] ?? numbers.length;
    kept.set(numbers.subarray(place + 1, end), size);
    size += end - place - 1;
  }
  return kept;
}
