import { crc32 } from "node:zlib";
import { type InspectionLimits, type MediaFacts, URL_FORMATS } from "../probe/facts.js";
import { createInspector } from "../probe/inspector.js";

/** The product's default limits: 40 megapixels, 15 minutes. */
const LIMITS: InspectionLimits = {
  imagePixelsMax: 40_000_000,
  durationMsMax: 15 * 60_000,
  formats: URL_FORMATS,
};

/** The facts from the headers of the file, passed in one piece. Rejects with UnacceptableFileError. */
export async function inspected(file: Uint8Array, limits: Partial<InspectionLimits> = {}): Promise<MediaFacts> {
  const inspector = createInspector({ ...LIMITS, ...limits });
  await inspector.write(file);
  return inspector.end();
}

/** Pseudo-random bytes, the same for the same seed. */
export function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed >>> 0 || 1;
  for (let at = 0; at < length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state & 0xff;
  }
  return bytes;
}

/** A chunk with its length and a valid checksum. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/** The content of a header: eight-bit RGB by default. */
export function pngHeader(width: number, height: number, form: { depth?: number; color?: number } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = form.depth ?? 8;
  header[9] = form.color ?? 2;
  return header;
}

/** Signature, chunks, and an end. */
export function pngFile(...chunks: readonly Uint8Array[]): Buffer {
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, ...chunks, pngChunk("IEND", Buffer.alloc(0))]);
}

/** A PNG with valid headers, lengths and checksums, and noise instead of its compressed data. */
export function pngOfNoise(width: number, height: number): Buffer {
  const data = noise(Math.ceil((width * height * 3) / 8) + 64);
  return pngFile(pngChunk("IHDR", pngHeader(width, height)), pngChunk("IDAT", data));
}

/** The picture, a JPG with one scan, with noise instead of its coded data: headers, tables and markers stay valid. */
export function jpgOfNoise(picture: Buffer): Buffer {
  const scan = picture.lastIndexOf(Buffer.from([0xff, 0xda]));
  const data = scan + 2 + picture.readUInt16BE(scan + 2);
  const garbage = noise(picture.length - 2 - data).map((byte) => (byte === 0xff ? 0xfe : byte));
  return Buffer.concat([picture.subarray(0, data), garbage, picture.subarray(-2)]);
}

/** The animation with noise instead of the data of its frames; block lengths stay valid. */
export function gifOfNoise(animation: Buffer): Buffer {
  const bytes = Buffer.from(animation);
  const table = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  let at = 13 + table(bytes[10]!);
  while (at < bytes.length && bytes[at] !== 0x3b) {
    const frame = bytes[at] === 0x2c;
    at += frame ? 11 + table(bytes[at + 9]!) : 2;
    for (; bytes[at] !== 0; at += 1 + bytes[at]!) {
      if (frame) bytes.set(noise(bytes[at]!, at), at + 1);
    }
    at += 1;
  }
  return bytes;
}

/** Exif data with this orientation; big-endian unless `little`. */
export function exifData(orientation: number, little = false): Buffer {
  const data = Buffer.alloc(38);
  const short = (value: number, at: number) => (little ? data.writeUInt16LE(value, at) : data.writeUInt16BE(value, at));
  const long = (value: number, at: number) => (little ? data.writeUInt32LE(value, at) : data.writeUInt32BE(value, at));
  data.write(little ? "II" : "MM", "latin1");
  short(42, 2);
  long(8, 4);
  const fields = [
    [0x100, 12],
    [0x112, orientation],
  ] as const;
  short(fields.length, 8);
  fields.forEach(([tag, value], index) => {
    const at = 10 + 12 * index;
    short(tag, at);
    short(3, at + 2);
    long(1, at + 4);
    short(value, at + 8);
  });
  return data;
}

/** A segment of a JPG, to be inserted after its first two bytes. */
export function jpgSegment(marker: number, content: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** The segment that holds Exif data. */
export function exifSegment(data: Uint8Array): Buffer {
  return jpgSegment(0xe1, Buffer.concat([Buffer.from("Exif\0\0", "latin1"), data]));
}

/** Size of an MPEG 1 layer III frame with 128 kbit/s, 44.1 kHz and two channels, without padding; it lasts 26.1 ms. */
export const MP3_FRAME_BYTES = 417;

/** One such frame; filled with zeros unless a body is given. */
export function mp3Frame(body: Uint8Array = new Uint8Array(0)): Buffer {
  const frame = Buffer.alloc(MP3_FRAME_BYTES);
  frame.set([0xff, 0xfb, 0x90, 0x00]);
  frame.set(body.subarray(0, MP3_FRAME_BYTES - 4), 4);
  return frame;
}

/** Frames with valid headers and noise instead of audio. */
export function mp3OfNoise(frames: number): Buffer {
  return Buffer.concat(Array.from({ length: frames }, (_, index) => mp3Frame(noise(MP3_FRAME_BYTES, index + 1))));
}

/** The frame in which encoders store the number of frames and bytes. */
export function mp3Announcement(frames: number, bytes: number): Buffer {
  const body = Buffer.alloc(48);
  body.write("Xing", 32, "latin1");
  body.writeUInt32BE(3, 36);
  body.writeUInt32BE(frames, 40);
  body.writeUInt32BE(bytes, 44);
  return mp3Frame(body);
}

/** A tag of ID3v2.4 with so many zeros as content. */
export function id3Tag(bytes: number, options: { footer?: boolean } = {}): Buffer {
  const size = [(bytes >> 21) & 0x7f, (bytes >> 14) & 0x7f, (bytes >> 7) & 0x7f, bytes & 0x7f];
  const flags = options.footer === true ? 0x10 : 0;
  const mark = (name: string) => Buffer.from([...Buffer.from(name, "latin1"), 4, 0, flags, ...size]);
  return Buffer.concat([mark("ID3"), Buffer.alloc(bytes), options.footer === true ? mark("3DI") : Buffer.alloc(0)]);
}

/** A box of an MP4 with the given content, which may include boxes. */
export function mp4Box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
}

/** Offset of the first box with this name. */
export function findMp4Box(film: Buffer, type: string): number {
  const at = film.indexOf(type, 0, "latin1");
  if (at < 4) throw new Error(`The film has no box ${type}.`);
  return at - 4;
}

/** The film with noise instead of its samples; all tables stay valid. */
export function mp4OfNoise(film: Buffer): Buffer {
  const bytes = Buffer.from(film);
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    if (bytes.toString("latin1", at + 4, at + 8) !== "mdat") continue;
    bytes.set(noise(bytes.readUInt32BE(at) - 8, 7), at + 8);
  }
  return bytes;
}
