import { ByteDriver, latin, type Parser, peek, scan, skipUpTo, uint16, uint32 } from "./bytes.js";

/** Parts in front of the picture that are told apart; some 500,000 a second, and files have some hundred. */
const PARTS_MAX = 100_000;

/**
 * Collects the first bytes of a PNG or JPG without metadata, of which there may be megabytes in front of the picture.
 * So little memory is enough for any header, and nothing of it is inflated that no viewer shows. What is no part of
 * the format is kept, since decoders judge it.
 */
export class PictureHead {
  private readonly driver: ByteDriver<number>;
  private readonly bytes: Uint8Array;
  private kept = 0;

  constructor(format: "png" | "jpg", bytesMax: number) {
    this.bytes = new Uint8Array(bytesMax);
    this.driver = new ByteDriver(() => (format === "png" ? this.readPng() : this.readJpg()));
  }

  /** All that was kept; the rest of what is passed is dropped. */
  get start(): Uint8Array {
    return this.bytes.subarray(0, this.kept);
  }

  write(chunk: Uint8Array): void {
    this.driver.write(chunk);
  }

  end(): void {
    this.driver.end();
  }

  /** Segments up to the first scan; of the metadata only the orientation matters. */
  private *readJpg(): Parser<number> {
    yield* this.keep(2);
    for (let parts = 0; parts < PARTS_MAX; parts++) {
      const head = yield peek(10);
      if (head[0] !== 0xff || !isSegment(head[1])) break;
      const bytes = 2 + uint16(head, 2);
      yield* isJpgMetadata(head) ? skipUpTo(bytes) : this.keep(bytes);
    }
    return yield* this.keep(Infinity);
  }

  /** Chunks up to the picture. */
  private *readPng(): Parser<number> {
    yield* this.keep(8);
    for (let parts = 0; parts < PARTS_MAX; parts++) {
      const head = yield peek(8);
      const [type, bytes] = [latin(head, 4, 8), 12 + uint32(head, 0)];
      if (head.length < 8 || type === "IDAT") break;
      yield* /^[a-z]/.test(type) && type !== "eXIf" ? skipUpTo(bytes) : this.keep(bytes);
    }
    return yield* this.keep(Infinity);
  }

  /** Keeps the next bytes, as far as there is room. */
  private *keep(bytes: number): Parser<number> {
    let left = bytes;
    yield scan((piece) => {
      const length = Math.min(left, piece.length);
      const part = piece.subarray(0, Math.min(length, this.bytes.length - this.kept));
      this.bytes.set(part, this.kept);
      this.kept += part.length;
      left -= length;
      return length;
    });
    return this.kept;
  }
}

/** Whether a segment with a length begins with this marker, and none of the picture's data. ITU-T T.81, table B.1. */
const isSegment = (marker = 0): boolean => marker >= 0xc0 && marker < 0xff && (marker < 0xd0 || marker > 0xda);

/** Application data and comments, but for Exif data. */
function isJpgMetadata(head: Uint8Array): boolean {
  const marker = head[1]!;
  return (marker >= 0xe0 && latin(head, 4, 10) !== "Exif\0\0" && marker <= 0xef) || marker === 0xfe;
}
