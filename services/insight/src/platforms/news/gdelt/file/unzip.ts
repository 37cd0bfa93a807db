import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const DIRECTORY_SIGNATURE = 0x02014b50;
const DIRECTORY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const COMMENT_MAX = 65_535;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
const CHUNK = 65_536;

/** An archive that cannot be unpacked; the message is part of a sentence. */
export class BadArchive extends Error {
  override readonly name = "BadArchive";
}

interface Entry {
  readonly method: number;
  readonly checksum: number;
  readonly size: number;
  readonly packed: Buffer;
}

/**
 * The content of a ZIP archive with one file, chunk by chunk. Throws BadArchive for anything else, for more than `bytesMax`
 * bytes, and at the end for another checksum than the archive states.
 */
export async function* unzipped(archive: Buffer, bytesMax: number): AsyncGenerator<Buffer> {
  const { method, checksum, size, packed } = entryOf(archive);
  if (size > bytesMax) throw new BadArchive("is larger than is read");
  let sum = 0;
  let read = 0;
  for await (const chunk of contentOf(packed, method)) {
    read += chunk.length;
    // The size that an archive states may be wrong.
    if (read > bytesMax) throw new BadArchive("is larger than is read");
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (read !== size || sum !== checksum) throw new BadArchive("differs from its checksum");
}

async function* contentOf(packed: Buffer, method: number): AsyncGenerator<Buffer> {
  const chunks = Readable.from(chunksOf(packed));
  // The reader gets a failure through the stream that it reads.
  const content = method === STORED ? chunks : pipeline(chunks, createInflateRaw(), () => undefined);
  try {
    for await (const chunk of content) yield chunk as Buffer;
  } catch (error) {
    throw new BadArchive("cannot be unpacked", { cause: error });
  }
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/** Reads the directory at the end of the archive, because the header of a file may leave out its sizes. */
function entryOf(archive: Buffer): Entry {
  const end = endOf(archive);
  const [entries, from] = [archive.readUInt16LE(end + 10), archive.readUInt32LE(end + 16)];
  if (entries !== 1) throw new BadArchive(`holds ${entries} files instead of one`);
  const isDirectory = from + DIRECTORY_BYTES <= end && archive.readUInt32LE(from) === DIRECTORY_SIGNATURE;
  if (!isDirectory) throw new BadArchive("has a broken directory");
  const [flags, method] = [archive.readUInt16LE(from + 8), archive.readUInt16LE(from + 10)];
  if ((flags & ENCRYPTED) !== 0 || (method !== STORED && method !== DEFLATED)) {
    throw new BadArchive("is packed in a way that is not known");
  }
  return {
    method,
    checksum: archive.readUInt32LE(from + 16),
    size: archive.readUInt32LE(from + 24),
    packed: packedOf(archive, { at: archive.readUInt32LE(from + 42), size: archive.readUInt32LE(from + 20) }),
  };
}

function packedOf(archive: Buffer, { at, size }: { at: number; size: number }): Buffer {
  if (at + LOCAL_BYTES > archive.length || archive.readUInt32LE(at) !== LOCAL_SIGNATURE) {
    throw new BadArchive("has a broken header");
  }
  const start = at + LOCAL_BYTES + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  if (start + size > archive.length) throw new BadArchive("ends before its end");
  return archive.subarray(start, start + size);
}

function endOf(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_BYTES - COMMENT_MAX);
  for (let at = archive.length - END_BYTES; at >= first; at -= 1) {
    if (archive.readUInt32LE(at) === END_SIGNATURE) return at;
  }
  throw new BadArchive("is no ZIP archive, or only a part of one");
}
