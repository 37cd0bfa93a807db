/**
 * What a parser asks for next. It is answered with bytes, which are valid until it asks again.
 *
 * - take: exactly so many bytes, and moves behind them; the file is refused when it has fewer.
 * - peek: the same without moving, and fewer at the end of the file.
 * - skip: moves on without looking; the file is refused when it ends before. Answered with no bytes.
 * - scan: is handed what there is, piece by piece, until it says by less than the piece's length that it stops there, or the
 *   file ends. Answered with no bytes. `bytes`: how many there must be, so that a claim of too many is refused before.
 */
export type Want =
  | { kind: "take" | "peek" | "skip"; bytes: number }
  | { kind: "scan"; scan: (piece: Uint8Array) => number; bytes: number };

/** A parser: reads a file from its beginning by asking for bytes, and returns what it found. Throws UnacceptableFileError. */
export type Reading<T> = Generator<Want, T, Uint8Array>;

/** Where a parser is, in bytes from the beginning of the file. */
export interface Position {
  readonly position: number;
}

/** The most that may be taken or looked ahead at once, which bounds the memory. */
export const TAKE_MAX = 1 << 16;

/** At most TAKE_MAX. */
export const take = (bytes: number): Want => ({ kind: "take", bytes });
/** At most TAKE_MAX. */
export const peek = (bytes: number): Want => ({ kind: "peek", bytes });
/** Any number. */
export const skip = (bytes: number): Want => ({ kind: "skip", bytes });
export const scan = (piece: (piece: Uint8Array) => number, bytes = 0): Want => ({ kind: "scan", scan: piece, bytes });

/** Moves on without looking; how many bytes there were, fewer than wanted only at the end of the file. */
export function* skipUpTo(bytes: number): Reading<number> {
  let left = bytes;
  yield scan((piece) => {
    const length = Math.min(left, piece.length);
    left -= length;
    return length;
  });
  return bytes - left;
}

/** Moves behind zeros; how many there were. */
export function* skipZeros(): Reading<number> {
  let zeros = 0;
  yield scan((piece) => {
    const end = piece.findIndex((byte) => byte !== 0);
    const length = end === -1 ? piece.length : end;
    zeros += length;
    return length;
  });
  return zeros;
}

/** Unsigned, most significant byte first. */
export const uint16 = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;
/** Unsigned, most significant byte first. */
export const uint32 = (bytes: Uint8Array, at: number): number => uint16(bytes, at) * 0x10000 + uint16(bytes, at + 2);
/** Unsigned, most significant byte first; exact below 2^53. */
export const uint64 = (bytes: Uint8Array, at: number): number => uint32(bytes, at) * 2 ** 32 + uint32(bytes, at + 4);
/** Unsigned, least significant byte first. */
export const uint16le = (bytes: Uint8Array, at: number): number => bytes[at]! | (bytes[at + 1]! << 8);
/** Unsigned, least significant byte first. */
export const uint32le = (bytes: Uint8Array, at: number): number =>
  uint16le(bytes, at) + uint16le(bytes, at + 2) * 0x10000;

/** The bytes as characters 0 to 255, for comparing with names. */
export function latin(bytes: Uint8Array, from: number, to: number): string {
  let characters = "";
  for (let at = from; at < to && at < bytes.length; at++) characters += String.fromCharCode(bytes[at]!);
  return characters;
}
