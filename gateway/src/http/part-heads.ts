import { Transform, type TransformCallback } from "node:stream";

const LINE_END = "\r\n";
const HEAD_END = "\r\n\r\n";
/** A longer head is passed on as it is; the parser refuses it. In bytes. */
const HEAD_BYTES_MAX = 16_384;

/** A file name in quotation marks: it ends before the next parameter, or with its line. */
const FILE_NAME = /(;[ \t]*filename[ \t]*=[ \t]*")(.*?)(?<!\\)"(?=[ \t]*(?:;[ \t]*[\w*-]+[ \t]*=.*)?$)/im;

/**
 * The bytes of a form, in which quotation marks within file names are escaped. Many clients send them as they are, and the
 * parser skips such a part as if it were not there.
 */
export class PartHeads extends Transform {
  private readonly delimiter: Buffer;
  /** What is not passed on yet: it may be the beginning of a delimiter, or of a head. */
  private held: Buffer = Buffer.from(LINE_END);
  /** Bytes of `held` that the form does not have: its first delimiter is no longer preceded by a line. */
  private added = LINE_END.length;
  private isInHead = false;

  constructor(boundary: string, highWaterMark: number) {
    super({ highWaterMark });
    this.delimiter = Buffer.from(`${LINE_END}--${boundary}`, "latin1");
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.held = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    while (this.isInHead ? this.passHead() : this.passBody());
    done();
  }

  override _flush(done: TransformCallback): void {
    this.pass(this.held.length);
    done();
  }

  /** Whether a head has begun. */
  private passBody(): boolean {
    const at = this.held.indexOf(this.delimiter);
    if (at < 0) {
      this.pass(this.held.length - this.beginningLength());
      return false;
    }
    this.pass(at + this.delimiter.length);
    this.isInHead = true;
    return true;
  }

  /** Bytes at the end that may be the beginning of a delimiter. More would keep what has arrived from the parser. */
  private beginningLength(): number {
    const at = this.held.lastIndexOf("\r");
    const end = this.held.subarray(Math.max(0, at));
    return at >= 0 && this.delimiter.subarray(0, end.length).equals(end) ? end.length : 0;
  }

  /** Whether the head is over. */
  private passHead(): boolean {
    const end = this.held.indexOf(HEAD_END);
    if (end < 0 && this.held.length <= HEAD_BYTES_MAX) return false;
    this.isInHead = false;
    if (end < 0) return true;
    const head = this.held.toString("latin1", 0, end);
    this.held = this.held.subarray(end);
    this.push(Buffer.from(head.split(LINE_END).map(escaped).join(LINE_END), "latin1"));
    this.pass(HEAD_END.length);
    return true;
  }

  private pass(count: number): void {
    if (count <= 0) return;
    const piece = this.held.subarray(Math.min(this.added, count), count);
    this.added = Math.max(0, this.added - count);
    this.held = this.held.subarray(count);
    if (piece.length > 0) this.push(piece);
  }
}

function escaped(line: string): string {
  if (!/^content-disposition[ \t]*:/i.test(line)) return line;
  return line.replace(FILE_NAME, (_all, before: string, name: string) => `${before}${escapedName(name)}"`);
}

/** Those that are escaped stay as they are. */
function escapedName(name: string): string {
  return name.replace(/(?<!\\)"/g, '\\"');
}
