import { POSTED_AT } from "@hourglass/posting";
import type { ByteRange } from "@hourglass/runtime";
import { inBlocks } from "./ndjson.js";

const LINE_FEED = 0x0a;
const COMMA = 0x2c;
const LINE_END = Buffer.from("}\n");
const BRACKETS = Buffer.from("[]");
const SEPARATOR = Buffer.from(",");

/** JSON lines of postings, as an export is stored. */
export interface StoredLines {
  readonly bytes: number;
  readonly rows: number;
}

/** What a line has behind its other keys, and the JSON array has not. Always of the same length. */
const MOMENT_BYTES = `,"${POSTED_AT}":"2026-01-31T12:00:00Z"`.length;

/** Size of the JSON array with the postings of JSON lines, in bytes. */
export function jsonArraySize({ bytes, rows }: StoredLines): number {
  return rows === 0 ? BRACKETS.length : bytes - rows * MOMENT_BYTES + 1;
}

/**
 * Reads a part of the JSON array with the postings of JSON lines: an opening bracket, then the lines without their moments,
 * with a comma in place of each line feed, and a closing bracket in place of the last. `read` returns the lines. Where a
 * part begins depends on the lines before it, so these are read as well.
 */
export async function* readJsonArray(
  read: () => AsyncIterable<Uint8Array>,
  lines: StoredLines,
  { start, end = jsonArraySize(lines) }: ByteRange = { start: 0 },
): AsyncGenerator<Uint8Array> {
  let position = 0;
  for await (const bytes of toJsonArray(withoutMoments(read()))) {
    const from = position;
    position += bytes.length;
    const part = bytes.subarray(Math.max(0, start - from), Math.max(0, end - from));
    if (part.length > 0) yield part;
    if (position >= end) return;
  }
}

async function* withoutMoments(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const block of inBlocks(lines)) yield withoutMoment(block);
}

/** Whole lines without their last key. */
function withoutMoment(lines: Buffer): Buffer {
  const parts: Buffer[] = [];
  let start = 0;
  // Of a file that is cut, the last line has no end: it is left out, and the file found to be too short.
  for (let end = lines.indexOf(LINE_FEED); end >= 0; end = lines.indexOf(LINE_FEED, start)) {
    parts.push(lines.subarray(start, end + 1 - MOMENT_BYTES - LINE_END.length), LINE_END);
    start = end + 1;
  }
  return Buffer.concat(parts);
}

/** Line feeds only separate lines: inside of JSON strings they are escaped. */
function withCommas(lines: Uint8Array): Uint8Array {
  const bytes = Buffer.from(lines);
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) bytes[at] = COMMA;
  return bytes;
}

/** The JSON array with the postings of JSON lines, which come in blocks of whole lines. */
export async function* toJsonArray(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let before = BRACKETS.subarray(0, 1);
  for await (const block of blocks) {
    if (block.length === 0) continue;
    yield before;
    yield withCommas(block.subarray(0, -1));
    before = SEPARATOR;
  }
  if (before !== SEPARATOR) yield before;
  yield BRACKETS.subarray(1);
}
