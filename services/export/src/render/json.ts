import type { ByteRange } from "@hourglass/runtime";

const LINE_FEED = 0x0a;
const COMMA = 0x2c;
const BRACKETS = Buffer.from("[]");
const SEPARATOR = Buffer.from(",");

/** Size of the JSON array with the postings of JSON lines of the given size, in bytes. */
export function jsonArraySize(linesSize: number): number {
  return linesSize === 0 ? BRACKETS.length : linesSize + 1;
}

/**
 * Reads a part of the JSON array with the postings of JSON lines: an opening bracket, then the lines with a comma in
 * place of each line feed, and a closing bracket in place of the last. `read` returns a part of the lines.
 */
export async function* readJsonArray(
  read: (range: ByteRange) => AsyncIterable<Uint8Array>,
  linesSize: number,
  { start, end = jsonArraySize(linesSize) }: ByteRange = { start: 0 },
): AsyncGenerator<Uint8Array> {
  if (linesSize === 0) {
    yield BRACKETS.subarray(start, end);
    return;
  }
  if (start === 0 && end > 0) yield BRACKETS.subarray(0, 1);
  let position = Math.max(start - 1, 0);
  for await (const chunk of end > 1 ? read({ start: position, end: end - 1 }) : []) {
    position += chunk.length;
    yield withCommas(chunk, position === linesSize);
  }
}

/** Line feeds only separate lines: inside of JSON strings they are escaped. */
function withCommas(lines: Uint8Array, isLast: boolean): Uint8Array {
  const bytes = Buffer.from(lines);
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) bytes[at] = COMMA;
  if (isLast) BRACKETS.copy(bytes, bytes.length - 1, 1);
  return bytes;
}

/** The JSON array with the postings of JSON lines, which come in blocks of whole lines. */
export async function* toJsonArray(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let before = BRACKETS.subarray(0, 1);
  for await (const block of blocks) {
    if (block.length === 0) continue;
    yield before;
    yield withCommas(block.subarray(0, -1), false);
    before = SEPARATOR;
  }
  if (before !== SEPARATOR) yield before;
  yield BRACKETS.subarray(1);
}
