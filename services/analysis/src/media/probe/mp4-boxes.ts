import { latin, type Parser, peek, type Position, skip, skipUpTo, TAKE_MAX, uint32, uint64 } from "./bytes.js";
import { damaged } from "./facts.js";

/** Of all levels together; 15 minutes in fragments as short as a frame have some 200,000. */
const BOXES_MAX = 400_000;
const BOX_TYPE = /^[\x20-\x7e\xa9]{4}$/;

/** A box of an MP4. ISO/IEC 14496-12, 4.2. */
export interface Box {
  type: string;
  /** First byte of its header. */
  start: number;
  /** Offset after its last byte, within its parent; Infinity if it extends to the end of the file. */
  end: number;
}

/** Handles a box; it need not read all of it. */
export type Visit = (box: Box) => Parser<void>;

/** Walks through the boxes of one file. */
export class Boxes {
  private count = 0;

  constructor(readonly at: Position) {}

  /** Visits the boxes up to the end of their parent, by type; what is no box ends them, as padding does. */
  *each(parent: Pick<Box, "end">, visit: (box: Box) => Parser<void>): Parser<void> {
    for (let box = yield* this.next(parent.end); box !== undefined; box = yield* this.next(parent.end)) {
      this.count += 1;
      if (this.count > BOXES_MAX) throw damaged("mp4", `it has more than ${BOXES_MAX} parts`);
      yield* visit(box);
      yield* skipUpTo(box.end - this.at.position);
    }
    yield* skipUpTo(parent.end - this.at.position);
  }

  /** Visits those boxes in the same way that have a handler. */
  children(parent: Box, visits: Partial<Record<string, Visit>>): Parser<void> {
    return this.each(parent, function* (box) {
      yield* visits[box.type]?.(box) ?? [];
    });
  }

  /** The next bytes of the box; zeros stand for those that it lacks. At most TAKE_MAX. */
  *fields(box: Box, bytes: number): Parser<Uint8Array> {
    const fields = new Uint8Array(bytes);
    fields.set(yield peek(Math.min(bytes, box.end - this.at.position)));
    return fields;
  }

  /** Reads a table of entries of a fixed size, as far as there are any. */
  *table(box: Box, entryBytes: number, show: (piece: Uint8Array, from: number) => void): Parser<void> {
    const most = TAKE_MAX - (TAKE_MAX % entryBytes);
    for (;;) {
      const piece = yield peek(Math.min(most, box.end - this.at.position));
      const bytes = piece.length - (piece.length % entryBytes);
      if (bytes === 0) return;
      for (let from = 0; from < bytes; from += entryBytes) show(piece, from);
      yield skip(bytes);
    }
  }

  private *next(parentEnd: number): Parser<Box | undefined> {
    const start = this.at.position;
    const head = yield peek(Math.min(16, parentEnd - start));
    if (head.length < 8) return undefined;
    const type = latin(head, 4, 8);
    const isLong = uint32(head, 0) === 1 && head.length === 16;
    const headBytes = isLong ? 16 : 8;
    const bytes = isLong ? uint64(head, 8) : uint32(head, 0) || parentEnd - start;
    if (!BOX_TYPE.test(type) || bytes < headBytes) return undefined;
    yield skip(headBytes);
    return { type, start, end: Math.min(start + bytes, parentEnd) };
  }
}
