import { crc32, deflateRawSync } from "node:zlib";

const DEFLATED = 8;
const VERSION = 20;

/** A ZIP archive with one file, as GDELT publishes them. */
export function zipOf(name: string, content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  const packed = deflateRawSync(bytes);
  const described = Buffer.alloc(26);
  described.writeUInt16LE(VERSION, 0);
  described.writeUInt16LE(DEFLATED, 4);
  described.writeUInt32LE(crc32(bytes), 10);
  described.writeUInt32LE(packed.length, 14);
  described.writeUInt32LE(bytes.length, 18);
  described.writeUInt16LE(Buffer.byteLength(name), 22);
  const local = Buffer.concat([signature(0x04034b50), described, Buffer.from(name), packed]);
  const directory = Buffer.concat([
    signature(0x02014b50),
    Buffer.from([VERSION, 0]),
    described,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, directory, signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
