import { inBlocks } from "../blocks.js";
import { type Digest, RunningDigest } from "../digest.js";
import { type Erased, ErasedLines } from "../erase-lines.js";
import type { Sink } from "../outlet.js";
import type { Rendered, Sinks, StoredExport } from "../rendered-files.js";
import { withoutCsvRows } from "./csv-rows.js";
import { withoutParquetRows } from "./parquet-rows.js";
import type { ParquetThread } from "./parquet-thread.js";

/**
 * Leaves erased postings out of the files of an export, one file after the other, without rendering what stays: all
 * bytes are passed on as they are, but for the Parquet row groups that lose rows. Throws UneditableError if a file is
 * not as this release writes it. On any failure, files may be stored that nobody wants.
 */
export async function editExport(
  stored: StoredExport,
  erased: readonly Erased[],
  sinks: Sinks,
  thread: ParquetThread,
): Promise<Rendered> {
  const lines = new ErasedLines(erased);
  const ndjson = await store(sinks.ndjson, lines.leftOut(inBlocks(stored.read("ndjson"))));
  const csv = await store(sinks.csv, withoutCsvRows(stored.read("csv"), lines));
  const parquet = await store(sinks.parquet, withoutParquetRows(stored, lines, thread));
  return { rows: lines.rows - lines.dropped.length, files: { ndjson, csv, parquet } };
}

async function store(sink: Sink, bytes: AsyncIterable<Uint8Array>): Promise<Digest> {
  const digest = new RunningDigest();
  const read: { isWhole: boolean; failure?: unknown } = { isWhole: false };
  async function* digested(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of bytes) {
        digest.add(chunk);
        yield chunk;
      }
      read.isWhole = true;
    } catch (error) {
      read.failure = error;
      throw error;
    }
  }
  try {
    await sink(digested());
  } catch (error) {
    throw read.failure ?? error; // a storage may tell of its own failure instead
  }
  if (!read.isWhole) throw new Error("The storage has not taken all bytes of a file.");
  return digest.get();
}
