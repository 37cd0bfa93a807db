import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise } from "yauzl";
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

/** An archive that cannot be unpacked; the message is part of a sentence. */
export class BadArchive extends Error {
  override readonly name = "BadArchive";
}

/** The name of the file is of no use here, and its size is checked together with the checksum. */
const OPTIONS = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false };

/**
 * The content of a ZIP archive with one file, chunk by chunk. Throws BadArchive for anything else, for more than `bytesMax`
 * bytes, and at the end for another size or checksum than the archive states.
 */
export async function* unzipped(archive: Buffer, bytesMax: number): AsyncGenerator<Buffer> {
  const zip = await orBad("is no ZIP archive, or only a part of one", fromBufferPromise(archive, OPTIONS));
  if (zip.entryCount !== 1) throw new BadArchive(`holds ${zip.entryCount} files instead of one`);
  const first = await orBad("has a broken directory", zip.eachEntry().next());
  const entry = first.value as Entry;
  if (!entry.canDecodeFileData()) throw new BadArchive("is packed in a way that is not known");
  if (entry.uncompressedSize > bytesMax) throw new BadArchive("is larger than is read");
  const content = await orBad("has a broken header, or ends before its end", zip.openReadStreamPromise(entry));
  let sum = 0;
  let read = 0;
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      read += chunk.length;
      // The size that an archive states may be wrong.
      if (read > bytesMax) throw new BadArchive("is larger than is read");
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof BadArchive ? error : new BadArchive("cannot be unpacked", { cause: error });
  }
  if (read !== entry.uncompressedSize || sum !== entry.crc32) throw new BadArchive("differs from its checksum");
}

async function orBad<T>(what: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw new BadArchive(what, { cause: error });
  }
}
