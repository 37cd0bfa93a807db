import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import type { PostingDraft } from "../../posting-draft.js";
import { readRow, toPosting } from "./posting.js";

/** A file has about 15 MB. */
const BYTES_MAX = 256 * 1024 * 1024;
/** A row has about 10 kB. */
const LINE_BYTES_MAX = 1024 * 1024;
/** A file has about 2,000 rows. */
const POSTINGS_MAX = 10_000;

/** The articles of a file. */
export interface ReadArchive {
  /** Newest last, as in the file; each address once. */
  readonly postings: readonly PostingDraft[];
  /** Rows that could not be read, and those beyond the limit. */
  readonly skipped: number;
}

/** Reads a file of GKG row by row, so that its postings and one row at a time are in memory. Throws BadArchive. */
export async function readArchive(archive: Buffer): Promise<ReadArchive> {
  const postings = new Map<string, PostingDraft>();
  let skipped = 0;
  for await (const line of linesOf(unzipped(archive, BYTES_MAX), LINE_BYTES_MAX)) {
    if (typeof line === "string" && line.trim() === "") continue;
    const row = typeof line === "string" ? readRow(line) : undefined;
    const posting = row === undefined ? undefined : toPosting(row);
    const { socialId = "" } = posting ?? {};
    if (posting === undefined || (postings.size >= POSTINGS_MAX && !postings.has(socialId))) skipped += 1;
    else postings.set(socialId, posting);
  }
  return { postings: [...postings.values()], skipped };
}

/** A line, or a mark for one that is too long to be read. */
type Line = string | { readonly tooLong: true };

const NEW_LINE = 0x0a;

/** The lines of a text in UTF-8 that comes in chunks; at most one line, of `bytesMax`, is kept at a time. */
async function* linesOf(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  const line = (): Line => (size > bytesMax ? { tooLong: true } : Buffer.concat(parts).toString("utf8"));
  const add = (part: Buffer): void => {
    size += part.length;
    // Chunks are copied: their memory may be used again.
    if (size <= bytesMax) parts.push(Buffer.from(part));
    else parts = [];
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, from)) {
      add(chunk.subarray(from, end));
      yield line();
      [parts, size, from] = [[], 0, end + 1];
    }
    add(chunk.subarray(from));
  }
  if (size > 0) yield line();
}

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
