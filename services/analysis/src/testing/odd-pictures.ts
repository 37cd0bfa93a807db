import { crc32 } from "node:zlib";

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
export function pngHeader(width: number, height: number, form: { depth?: number; colour?: number } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = form.depth ?? 8;
  header[9] = form.colour ?? 2;
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

/** The trailer that Samsung's cameras append to a picture: blocks with a name and data, and a directory. */
export function samsungTrailer(blocks: Readonly<Record<string, Uint8Array>>): Buffer {
  const kind = 0x0a01;
  const parts = Object.entries(blocks).map(([name, data]) => {
    const head = Buffer.alloc(8);
    head.writeUInt16LE(kind, 2);
    head.writeUInt32LE(name.length, 4);
    return Buffer.concat([head, Buffer.from(name, "latin1"), data]);
  });
  const directory = Buffer.alloc(12 + 12 * parts.length);
  directory.write("SEFH", 0, "latin1");
  directory.writeUInt32LE(107, 4);
  directory.writeUInt32LE(parts.length, 8);
  for (const [index, part] of parts.entries()) {
    const entry = 12 + 12 * index;
    const offset = parts.slice(index).reduce((sum, { length }) => sum + length, 0);
    directory.writeUInt16LE(kind, entry + 2);
    directory.writeUInt32LE(offset, entry + 4);
    directory.writeUInt32LE(part.length, entry + 8);
  }
  const end = Buffer.alloc(8);
  end.writeUInt32LE(directory.length, 0);
  end.write("SEFT", 4, "latin1");
  return Buffer.concat([...parts, directory, end]);
}

/** Metadata announcing a film, to be inserted after the first two bytes of a JPG. */
export function motionPhotoMetadata(): Buffer {
  const xmp = `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><rdf:Description GCamera:MotionPhoto="1"/></x:xmpmeta>`;
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(xmp.length + 2, 2);
  return Buffer.concat([head, Buffer.from(xmp, "latin1")]);
}
