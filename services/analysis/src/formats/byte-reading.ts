/**
 * A parser's request. The answer is bytes that are valid until the next request.
 *
 * - take: exactly this many bytes, which are consumed; the file is refused if it has fewer.
 * - peek: the same without consuming them; fewer at the end of the file.
 * - skip: consumes bytes without reading them; the file is refused if it ends before. Answered with no bytes.
 * - scan: receives the available bytes, piece by piece, until it returns less than the piece's length to stop there, or
 *   the file ends. Answered with no bytes. `bytes`: the minimum that must follow, so that an excessive claim is refused
 *   early.
 */
export type Want =
  | { kind: "take" | "peek" | "skip"; bytes: number }
  | { kind: "scan"; scan: (piece: Uint8Array) => number; bytes: number };

/**
 * A parser: reads a file from its beginning by requesting bytes, and returns its result. Throws UnacceptableFileError.
 */
export type Reading<T> = Generator<Want, T, Uint8Array>;

/** The position of a parser, in bytes from the beginning of the file. */
export interface Position {
  readonly position: number;
}

/** Maximum number of bytes per take or peek, which bounds the memory. */
export const TAKE_MAX = 1 << 16;

/** At most TAKE_MAX. */
export const take = (bytes: number): Want => ({ kind: "take", bytes });
/** At most TAKE_MAX. */
export const peek = (bytes: number): Want => ({ kind: "peek", bytes });
/** Any number. */
export const skip = (bytes: number): Want => ({ kind: "skip", bytes });
export const scan = (piece: (piece: Uint8Array) => number, bytes = 0): Want => ({ kind: "scan", scan: piece, bytes });

/** Consumes bytes without reading them and returns their number; fewer than requested only at the end of the file. */
export function* skipUpTo(bytes: number): Reading<number> {
  let left = bytes;
  yield scan((piece) => {
    const length = Math.min(left, piece.length);
    left -= length;
    return length;
  });
  return bytes - left;
}

/** Consumes zeros and returns their number. */
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

/** Unsigned, big-endian. */
export const uint16 = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;
/** Unsigned, big-endian. */
export const uint32 = (bytes: Uint8Array, at: number): number => uint16(bytes, at) * 0x10000 + uint16(bytes, at + 2);
/** Unsigned, big-endian; exact below 2^53. */
export const uint64 = (bytes: Uint8Array, at: number): number => uint32(bytes, at) * 2 ** 32 + uint32(bytes, at + 4);
/** Unsigned, little-endian. */
export const uint16le = (bytes: Uint8Array, at: number): number => bytes[at]! | (bytes[at + 1]! << 8);
/** Unsigned, little-endian. */
export const uint32le = (bytes: Uint8Array, at: number): number =>
  uint16le(bytes, at) + uint16le(bytes, at + 2) * 0x10000;

/** The bytes as Latin-1 characters (0 to 255), for comparison with names. */
export function latin(bytes: Uint8Array, from: number, to: number): string {
  let characters = "";
  for (let at = from; at < to && at < bytes.length; at++) characters += String.fromCharCode(bytes[at]!);
  return characters;
}
