import type { Platform } from "@hourglass/proto/insight/v1/platform";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { counted } from "@hourglass/runtime";
import { MalformedJson, parseJson, parseLongNumbers, tooMuchJson, type Violations } from "@hourglass/runtime/json";
import type { Read } from "./json-reader.js";
import { FileDates, type StatedDates } from "./file-dates.js";
import { ImportNotes } from "./import-notes.js";
import { refuseConflicts, toRow, type ImportRow } from "./import-rows.js";
import { JSON_LIMITS, ROW_BYTES_MAX } from "./limits.js";
import { postingReader } from "./posting-json.js";

/** How lines are read. */
export interface NdjsonReading extends StatedDates {
  /** Of the search; default: all. */
  readonly platforms?: readonly Platform[] | undefined;
  /** Where it is noted what was done with the file. */
  readonly notes?: ImportNotes;
}

/**
 * Reads postings from JSON Lines, one posting object a line, in constant memory. Empty lines are skipped. Postings of
 * other platforms than those given are wrong, and so is one whose id an earlier line has, with another text or time.
 * Throws AppError `invalid`, at the end, for a file whose days in numbers contradict each other.
 */
export async function* readNdjson(
  chunks: AsyncIterable<Uint8Array>,
  { platforms, notes = new ImportNotes(), ...stated }: NdjsonReading = {},
): AsyncGenerator<ImportRow, void, undefined> {
  const dates = new FileDates(notes, stated);
  yield* refuseConflicts(readRows(chunks, postingReader({ platforms, notes, dates }), notes));
  dates.finish();
}

async function* readRows(
  chunks: AsyncIterable<Uint8Array>,
  read: Read<Posting>,
  notes: ImportNotes,
): AsyncGenerator<ImportRow> {
  for await (const line of readLines(chunks, ROW_BYTES_MAX)) {
    notes.row = line.number;
    const row = readLine(line, read);
    if (row !== undefined) yield row;
  }
}

/** The place of a mistake is searched in lines up to this many characters: the search takes longer than to parse them. */
const SEARCHED_MAX = 65_536;

const TOO_LONG = `Give a line of at most ${counted(ROW_BYTES_MAX, "byte")}.`;

function readLine({ number, bytes }: Line, read: Read<Posting>): ImportRow | undefined {
  const wrong = (message: string) => ({ row: number, violations: [{ field: "", message }] });
  if (bytes === undefined) return wrong(TOO_LONG);
  const text = decode(bytes, number === 1);
  if (text === undefined) return wrong("This line is not valid UTF-8. Encode it in UTF-8.");
  if (text.trim() === "") return undefined;
  const tooMuch = tooMuchJson(bytes, JSON_LIMITS);
  if (tooMuch !== undefined) return wrong(tooMuch);
  const violations: Violations = [];
  try {
    const value = parseJson(text, "This line", { parse: parseLongNumbers, searchedMax: SEARCHED_MAX });
    const posting = read(value, "", violations);
    return posting === null ? { row: number, violations } : toRow(number, posting);
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

/** A line of a text. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without the line feed; undefined if there are too many. */
  readonly bytes: Uint8Array | undefined;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** Splits bytes into lines; buffers at most one line of `bytesMax`. Lines of nothing but white space are skipped. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Line, void, undefined> {
  const partial = new PartialLine(bytesMax);
  let number = 1;
  for await (const chunk of chunks) {
    let start = 0;
    if (partial.size === 0) [start, number] = skipEmpty(chunk, start, number);
    for (let end = chunk.indexOf(LINE_FEED, start); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      partial.add(chunk.subarray(start, end));
      yield { number, bytes: partial.take() };
      [start, number] = skipEmpty(chunk, end + 1, number + 1);
    }
    partial.add(chunk.subarray(start));
  }
  if (partial.size > 0) yield { number, bytes: partial.take() };
}

/** The start and the number of the next line that is not empty. */
function skipEmpty(chunk: Uint8Array, start: number, number: number): [start: number, number: number] {
  for (let at = start; at < chunk.length; at++) {
    const byte = chunk[at];
    if (byte === LINE_FEED) {
      start = at + 1;
      number++;
    } else if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) break;
  }
  return [start, number];
}

/** The bytes of a line whose end has not arrived yet. */
class PartialLine {
  size = 0;
  private parts: Uint8Array[] = [];

  constructor(private readonly bytesMax: number) {}

  add(bytes: Uint8Array): void {
    this.size += bytes.length;
    if (this.size > this.bytesMax) this.parts = [];
    else if (bytes.length > 0) this.parts.push(bytes);
  }

  take(): Uint8Array | undefined {
    const { size, parts } = this;
    this.size = 0;
    this.parts = [];
    if (size > this.bytesMax) return undefined;
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts, size);
  }
}
