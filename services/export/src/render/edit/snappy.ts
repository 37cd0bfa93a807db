import { type Cut, cutSize } from "./cuts.js";

const COPY_LENGTH_MAX = 64;
const OFFSET_MAX = 0xffff;
/** Longer literals tell their length in bytes of their own, up to four. */
const SHORT_LITERAL_MAX = 60;
const VARINT_BITS = 7;

/**
 * Leaves ranges of the plain bytes out of Snappy's compressed ones. What repeats is not searched for again: elements are
 * passed on as they are, but for those that lie in a cut or refer to bytes before one.
 */
export function cutCompressed(compressed: Uint8Array, plain: Uint8Array, cuts: readonly Cut[]): Uint8Array {
  return cuts.length === 0 ? compressed : new SnappyCutter(compressed, plain, cuts).run();
}

/** For most pages, so that each does not take fresh memory from the system. */
const OUTPUT = Buffer.allocUnsafeSlow(512 * 1024);

function outputOf(size: number): Buffer {
  return size <= OUTPUT.length ? OUTPUT : Buffer.allocUnsafeSlow(size);
}

class SnappyCutter {
  private readonly output: Buffer;
  private size = 0;
  /** Cuts before it have begun before the current element. */
  private nextCut = 0;
  /** Elements from here on are passed on as they are; -1: none are. */
  private verbatimFrom = -1;
  /** Plain bytes to write as a literal. */
  private literalFrom = 0;
  private literalEnd = 0;

  constructor(
    private readonly input: Uint8Array,
    private readonly plain: Uint8Array,
    private readonly cuts: readonly Cut[],
  ) {
    // At worst every element becomes a literal, which needs a byte or a few more.
    this.output = outputOf(input.length + 2 * plain.length + 16 * (cuts.length + 1));
  }

  run(): Uint8Array {
    const { input } = this;
    const size = input.length;
    this.writeVarint(this.plain.length - cutSize(this.cuts));
    let position = 0;
    while (position < size && input[position++]! > 0x7f);
    let at = 0;
    let [lastEnd, nextStart] = this.cutsAround(at);
    while (position < size) {
      const begin = position;
      const tag = input[position++]!;
      let offset = 0;
      let length = (tag >>> 2) + 1;
      if ((tag & 3) === 2) {
        offset = input[position]! | (input[position + 1]! << 8);
        position += 2;
      } else if ((tag & 3) === 1) {
        length = ((tag >>> 2) & 7) + 4;
        offset = ((tag & 0xe0) << 3) | input[position++]!;
      } else {
        const bytes = (tag & 3) === 3 ? 4 : Math.max(0, length - SHORT_LITERAL_MAX);
        const number = numberAt(input, position, bytes);
        position += bytes;
        if ((tag & 3) === 3) offset = number;
        else {
          if (bytes > 0) length = number + 1;
          position += length;
        }
      }
      if (nextStart < at) [lastEnd, nextStart] = this.cutsAround(at);
      // Neither its bytes nor those between them and their origin are cut.
      if (at - offset < lastEnd || at + length > nextStart) {
        this.flushVerbatim(begin);
        this.writeKept(at, offset, length);
      } else if (this.verbatimFrom < 0) {
        this.flushLiteral();
        this.verbatimFrom = begin;
      }
      at += length;
    }
    this.flushVerbatim(position);
    this.flushLiteral();
    return Buffer.from(this.output.subarray(0, this.size));
  }

  /** The end of the last cut that begins before a plain byte, and the begin of the next one. */
  private cutsAround(at: number): [number, number] {
    while ((this.cuts[this.nextCut]?.start ?? Infinity) < at) this.nextCut++;
    return [this.cuts[this.nextCut - 1]?.end ?? 0, this.cuts[this.nextCut]?.start ?? Infinity];
  }

  /** The parts of an element that are not cut. */
  private writeKept(at: number, offset: number, length: number): void {
    const end = at + length;
    let from = at;
    for (let index = Math.max(0, this.nextCut - 1); from < end; index++) {
      const cut = this.cuts[index];
      const until = cut === undefined ? end : Math.min(end, cut.start);
      if (until > from) this.writePart(from, until, offset);
      if (cut === undefined) return;
      from = Math.max(from, cut.end);
    }
  }

  private writePart(from: number, end: number, offset: number): void {
    const distance = offset === 0 ? 0 : this.distanceOf(from, end, offset);
    if (distance > 0) this.writeCopy(distance, end - from);
    else {
      if (this.literalEnd !== from) {
        this.flushLiteral();
        this.literalFrom = from;
      }
      this.literalEnd = end;
    }
  }

  /** How far its origin is away without the cuts between them; 0 if a part of the origin is cut. */
  private distanceOf(from: number, end: number, offset: number): number {
    const origin = from - offset;
    const originEnd = Math.min(end - offset, from);
    let distance = offset;
    for (let index = this.cuts.length - 1; index >= 0; index--) {
      const cut = this.cuts[index];
      if (cut === undefined || cut.start >= from) continue;
      if (cut.end <= origin) break;
      if (cut.start < originEnd) return 0;
      distance -= cut.end - cut.start;
    }
    return distance > OFFSET_MAX ? 0 : distance;
  }

  private writeCopy(distance: number, length: number): void {
    this.flushLiteral();
    for (let left = length; left > 0; left -= COPY_LENGTH_MAX) {
      this.output[this.size++] = 2 + ((Math.min(left, COPY_LENGTH_MAX) - 1) << 2);
      this.output[this.size++] = distance & 0xff;
      this.output[this.size++] = distance >>> 8;
    }
  }

  private flushVerbatim(until: number): void {
    if (this.verbatimFrom < 0) return;
    this.write(this.input.subarray(this.verbatimFrom, until));
    this.verbatimFrom = -1;
  }

  private flushLiteral(): void {
    const length = this.literalEnd - this.literalFrom;
    if (length > 0) {
      if (length <= SHORT_LITERAL_MAX) this.output[this.size++] = (length - 1) << 2;
      else {
        this.output[this.size++] = (SHORT_LITERAL_MAX + 3) << 2;
        this.size = this.output.writeUInt32LE(length - 1, this.size);
      }
      this.write(this.plain.subarray(this.literalFrom, this.literalEnd));
    }
    this.literalFrom = this.literalEnd = -1;
  }

  private write(bytes: Uint8Array): void {
    this.output.set(bytes, this.size);
    this.size += bytes.length;
  }

  private writeVarint(value: number): void {
    let left = value;
    for (; left > 0x7f; left >>>= VARINT_BITS) this.output[this.size++] = (left & 0x7f) | 0x80;
    this.output[this.size++] = left;
  }
}

/** Bytes from which on a block is copied at once. */
const LONG = 24;

/** Fills `output`. Throws RangeError if the compressed bytes are not as many, or damaged. */
export function uncompress(input: Uint8Array, output: Uint8Array): void {
  const size = input.length;
  let position = 0;
  while (position < size && input[position++]! > 0x7f);
  let at = 0;
  while (position < size) {
    const tag = input[position++]!;
    let length = (tag >>> 2) + 1;
    if ((tag & 3) === 0) {
      if (length > SHORT_LITERAL_MAX) {
        const bytes = length - SHORT_LITERAL_MAX;
        length = numberAt(input, position, bytes) + 1;
        position += bytes;
      }
      if (length > size - position) throw new RangeError("Compressed bytes end within a literal.");
      if (length < LONG) for (let index = 0; index < length; index++) output[at + index] = input[position + index]!;
      else output.set(input.subarray(position, position + length), at);
      position += length;
    } else {
      let offset: number;
      if ((tag & 3) === 1) {
        length = ((tag >>> 2) & 7) + 4;
        offset = ((tag & 0xe0) << 3) | input[position++]!;
      } else {
        const bytes = (tag & 3) === 2 ? 2 : 4;
        offset = bytes === 2 ? input[position]! | (input[position + 1]! << 8) : numberAt(input, position, bytes);
        position += bytes;
      }
      if (offset === 0 || offset > at) throw new RangeError("Compressed bytes refer to what is not there.");
      repeat(output, { at, offset, length });
    }
    at += length;
  }
  if (at !== output.length) throw new RangeError("Compressed bytes are not as many as they say.");
}

/** Copies what may overlap with its copy, which then repeats it. */
function repeat(output: Uint8Array, { at, offset, length }: { at: number; offset: number; length: number }): void {
  const end = at + length;
  if (length >= LONG && offset >= length) output.copyWithin(at, at - offset, end - offset);
  else for (let index = at; index < end; index++) output[index] = output[index - offset]!;
}

function numberAt(bytes: Uint8Array, position: number, size: number): number {
  let value = 0;
  for (let index = 0; index < size; index++) value += (bytes[position + index] ?? 0) * 2 ** (8 * index);
  return value;
}
