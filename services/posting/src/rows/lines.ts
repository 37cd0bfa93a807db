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

/** Splits bytes into lines; holds at most one line of `bytesMax`. Lines of nothing but white space are passed over. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Line, void, undefined> {
  const begun = new BegunLine(bytesMax);
  let number = 1;
  for await (const chunk of chunks) {
    let start = 0;
    if (begun.size === 0) [start, number] = pastEmpty(chunk, start, number);
    for (let end = chunk.indexOf(LINE_FEED, start); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      begun.add(chunk.subarray(start, end));
      yield { number, bytes: begun.take() };
      [start, number] = pastEmpty(chunk, end + 1, number + 1);
    }
    begun.add(chunk.subarray(start));
  }
  if (begun.size > 0) yield { number, bytes: begun.take() };
}

/** The begin and the number of the first line from there on that is not empty. */
function pastEmpty(chunk: Uint8Array, start: number, number: number): [start: number, number: number] {
  for (let at = start; at < chunk.length; at++) {
    const byte = chunk[at];
    if (byte === LINE_FEED) {
      start = at + 1;
      number++;
    } else if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) break;
  }
  return [start, number];
}

/** The bytes of a line that has not ended yet. */
class BegunLine {
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
