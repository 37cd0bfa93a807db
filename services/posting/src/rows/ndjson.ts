import type { Platform } from "@hourglass/proto/insight/v1/platform";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { counted } from "@hourglass/runtime";
import {
  MalformedJson,
  parseJson,
  parseLongNumbers,
  tooMuchJson,
  type Read,
  type Violations,
} from "@hourglass/runtime/json";
import { postingReader, readPosting } from "../from-json.js";
import { readLines, type Line } from "./lines.js";
import { refusingClashes } from "./clashes.js";
import { JSON_LIMITS, ROW_BYTES_MAX, type ImportRow } from "./row.js";

/**
 * Reads postings from JSON Lines, one posting object a line, in constant memory. Empty lines are skipped. Postings of
 * other platforms than those given are wrong, and so is one whose id an earlier line has, with another text or time.
 */
export async function* readNdjson(
  chunks: AsyncIterable<Uint8Array>,
  platforms?: readonly Platform[],
): AsyncGenerator<ImportRow, void, undefined> {
  yield* refusingClashes(readRows(chunks, platforms === undefined ? readPosting : postingReader(platforms)));
}

async function* readRows(chunks: AsyncIterable<Uint8Array>, read: Read<Posting>): AsyncGenerator<ImportRow> {
  for await (const line of readLines(chunks, ROW_BYTES_MAX)) {
    const row = toRow(line, read);
    if (row !== undefined) yield row;
  }
}

/** The place of a mistake is searched in lines up to this many characters: the search takes longer than to parse them. */
const SEARCHED_MAX = 65_536;

const TOO_LONG = `Give a line of at most ${counted(ROW_BYTES_MAX, "byte")}.`;

function toRow({ number, bytes }: Line, read: Read<Posting>): ImportRow | undefined {
  const wrong = (message: string) => ({ row: number, violations: [{ field: "", message }] });
  if (bytes === undefined) return wrong(TOO_LONG);
  const text = decode(bytes, number === 1);
  if (text === undefined) return wrong("This line is not valid UTF-8. Encode it in UTF-8.");
  if (text.trim() === "") return undefined;
  const tooMuch = tooMuchJson(text, JSON_LIMITS);
  if (tooMuch !== undefined) return wrong(tooMuch);
  const violations: Violations = [];
  try {
    const value = parseJson(text, "This line", { parse: parseLongNumbers, searchedMax: SEARCHED_MAX });
    const posting = read(value, "", violations);
    return posting === null ? { row: number, violations } : { row: number, posting };
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    return wrong(error.message);
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const BYTE_ORDER_MARK = "\ufeff";

function decode(bytes: Uint8Array, isFirst: boolean): string | undefined {
  try {
    const text = decoder.decode(bytes);
    return isFirst && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  } catch {
    // The cause adds nothing.
    return undefined;
  }
}
