import type { StoredExport } from "../rendered-files.js";
import type { DroppedRows } from "./csv-rows.js";
import type { ParquetThread } from "./parquet-thread.js";
import { UneditableError } from "./uneditable-error.js";

/** The last bytes of a Parquet file: the size of the footer before them, and a mark. */
const FOOTER_END_BYTES = 8;

/**
 * Leaves rows out of a Parquet file. Row groups that lose none are passed on as they are; encoding the others takes long
 * enough to stop a loop, so a thread does it. Throws UneditableError if the file has not as many rows as said, or if the
 * thread fails.
 */
export async function* withoutParquetRows(
  stored: StoredExport,
  { dropped, rows }: DroppedRows,
  thread: ParquetThread,
): AsyncGenerator<Uint8Array> {
  const { first, groups } = await asked(thread.openParquet(await readFooter(stored)));
  const held = groups.reduce((sum, group) => sum + group.rows, 0);
  if (held !== rows) throw new UneditableError(`The Parquet file has ${held} rows, not ${rows}.`);
  yield first;
  let firstRow = 0;
  let next = 0;
  for (const [index, { start, end, rows: inGroup }] of groups.entries()) {
    const droppedHere: number[] = [];
    for (let row = dropped[next]; row !== undefined && row < firstRow + inGroup; row = dropped[++next]) {
      droppedHere.push(row - firstRow);
    }
    if (droppedHere.length === 0) {
      await asked(thread.keepGroup(index));
      yield* stored.read("parquet", { start, end });
    } else {
      const bytes = await readPart(stored, { start, end });
      yield await asked(thread.editGroup({ index, bytes, dropped: droppedHere }));
    }
    firstRow += inGroup;
  }
  yield await asked(thread.closeParquet());
}

async function readFooter(stored: StoredExport): Promise<Uint8Array> {
  const size = stored.size("parquet");
  const end = await readPart(stored, { start: Math.max(0, size - FOOTER_END_BYTES), end: size });
  if (end.length < FOOTER_END_BYTES) throw new UneditableError("The Parquet file has no footer.");
  const start = size - FOOTER_END_BYTES - end.readUInt32LE(0);
  if (start < 0) throw new UneditableError("The Parquet file is shorter than its footer.");
  return readPart(stored, { start, end: size });
}

async function readPart(stored: StoredExport, range: { start: number; end: number }): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stored.read("parquet", range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Whatever the thread fails at, the file is not what it expects. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new UneditableError("The Parquet file could not be edited.", { cause: error });
  }
}
