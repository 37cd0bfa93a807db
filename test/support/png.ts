import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

export interface PngOptions {
  /** Pixels; both 1 by default. */
  width?: number;
  height?: number;
  /** Pictures of different seeds differ in their pixels. */
  seed?: number;
  /** Size of a private chunk in bytes, which enlarges the file. */
  ballast?: number;
  /** What a private chunk says. */
  words?: string;
}

/** A valid PNG, 8-bit RGB. */
export function png({ width = 1, height = 1, seed = 0, ballast = 0, words }: PngOptions = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc((1 + 3 * width) * height);
  for (let row = 0; row < height; row++) rows.writeUIntBE(seed & 0xffffff, row * (1 + 3 * width) + 1, 3);
  const extra = [
    ...(ballast > 0 ? [chunk("teSt", Buffer.alloc(ballast, seed))] : []),
    ...(words === undefined ? [] : [chunk("teSt", Buffer.from(words))]),
  ];
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    ...extra,
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
