import { noise } from "./odd-pictures.js";

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
