import { UneditableError } from "./uneditable-error.js";

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Rows to leave out of a file, by their number from 0 and in order, and how many it has. */
export interface DroppedRows {
  readonly dropped: readonly number[];
  readonly rows: number;
}

/**
 * Leaves rows out of a CSV file with a header, and passes all other bytes on as they are. Throws UneditableError if the
 * file has not as many rows as said.
 */
export async function* withoutCsvRows(
  csv: AsyncIterable<Uint8Array>,
  { dropped, rows }: DroppedRows,
): AsyncGenerator<Uint8Array> {
  const scan = new RowScan(dropped);
  for await (const chunk of csv) yield* scan.keptOf(chunk);
  if (scan.begunRows !== rows) throw new UneditableError(`The CSV file has ${scan.begunRows} rows, not ${rows}.`);
}

/** A row ends at CR LF outside of quotes, which are doubled inside of them: so any of them begins or ends a quotation. */
class RowScan {
  private row = -1; // the header
  private isQuoted = false;
  private isDropped = false;
  private lastByte = LINE_FEED;
  private nextDropped = 0;

  constructor(private readonly dropped: readonly number[]) {}

  /** Rows that have ended, the header not counted; NaN within a row. */
  get begunRows(): number {
    return this.lastByte === LINE_FEED && !this.isQuoted ? this.row : NaN;
  }

  keptOf(chunk: Uint8Array): Uint8Array[] {
    const kept: Uint8Array[] = [];
    let from = 0;
    let isQuoted = this.isQuoted;
    const lead = -chunk.byteOffset & (WORD_BYTES - 1);
    const words = wordsOf(chunk, lead);
    for (let at = 0; at < chunk.length; at++) {
      if (((at - lead) & (WORD_BYTES - 1)) === 0) {
        at = lead + WORD_BYTES * nextMarked(words, (at - lead) / WORD_BYTES);
        if (at >= chunk.length) break;
      }
      const byte = chunk[at]!;
      if (byte === QUOTE) isQuoted = !isQuoted;
      if (byte !== LINE_FEED || isQuoted) continue;
      if ((at === 0 ? this.lastByte : chunk[at - 1]) !== CARRIAGE_RETURN) continue;
      const wasDropped = this.isDropped;
      this.beginRow();
      if (this.isDropped === wasDropped) continue;
      if (this.isDropped) kept.push(chunk.subarray(from, at + 1));
      from = at + 1;
    }
    if (!this.isDropped) kept.push(chunk.subarray(from));
    this.isQuoted = isQuoted;
    this.lastByte = chunk.at(-1) ?? this.lastByte;
    return kept.filter(({ length }) => length > 0);
  }

  private beginRow(): void {
    this.row++;
    this.isDropped = this.dropped[this.nextDropped] === this.row;
    if (this.isDropped) this.nextDropped++;
  }
}

const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;
/** The byte in each place of a word. */
const QUOTES = QUOTE * 0x01010101;
const LINE_FEEDS = LINE_FEED * 0x01010101;

/** The bytes from `lead` on, four at a time: most words hold neither a quote nor a line feed, and are passed over. */
function wordsOf(chunk: Uint8Array, lead: number): Int32Array {
  const count = Math.max(0, Math.floor((chunk.length - lead) / WORD_BYTES));
  return count === 0 ? new Int32Array(0) : new Int32Array(chunk.buffer, chunk.byteOffset + lead, count);
}

/** The first word from there on that holds a quote or a line feed. */
function nextMarked(words: Int32Array, from: number): number {
  for (let index = from; index < words.length; index++) {
    const word = words[index]!;
    const quotes = word ^ QUOTES;
    const lineFeeds = word ^ LINE_FEEDS;
    // Not zero exactly if a byte of one of them is.
    if ((((quotes - 0x01010101) & ~quotes) | ((lineFeeds - 0x01010101) & ~lineFeeds)) & 0x80808080) return index;
  }
  return words.length;
}
