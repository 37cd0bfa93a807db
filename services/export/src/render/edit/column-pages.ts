import type { PageHeader } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { type Numbers, readNumbers, widthOf } from "./numbers.js";
import { uncompress } from "./snappy.js";
import { UneditableError } from "./uneditable-error.js";

type DataPageHeaderV2 = NonNullable<PageHeader["data_page_header_v2"]>;

/** A page of a column chunk. */
export interface Page {
  readonly header: PageHeader;
  /** With the header. */
  readonly bytes: Uint8Array;
  readonly body: Uint8Array;
}

/** The greatest levels of a column: how often it is repeated, and how many of its elements may be absent. */
export interface Levels {
  readonly repetition: number;
  readonly definition: number;
}

/** What a data page says of its entries, and its values. An entry without a value is null or an empty list. */
export interface DataPage {
  readonly entries: number;
  readonly rows: number;
  readonly nulls: number;
  /** Undefined where the greatest level is 0. */
  readonly repetition: Numbers | undefined;
  readonly definition: Numbers | undefined;
  /** Plain values, or the width and then the indexes of those of the dictionary. */
  readonly values: Uint8Array;
  /** The same, compressed. */
  readonly compressed: Uint8Array;
}

export function pagesOf(chunk: Uint8Array): Page[] {
  const reader = readerOf(chunk);
  const pages: Page[] = [];
  while (reader.offset < chunk.length) {
    const start = reader.offset;
    const header = parquetHeader(reader);
    const end = reader.offset + header.compressed_page_size;
    pages.push({ header, bytes: chunk.subarray(start, end), body: chunk.subarray(reader.offset, end) });
    reader.offset = end;
  }
  return pages;
}

/** The values of a dictionary, plain. */
export function dictionaryOf({ header, body }: Page): Uint8Array {
  return uncompressed(body, header.uncompressed_page_size);
}

/** The header of a data page. Throws UneditableError if it is of another kind than this release writes. */
export function aboutData({ header }: Page): DataPageHeaderV2 {
  const about = header.data_page_header_v2;
  const isKnown = about?.encoding === "RLE_DICTIONARY" || about?.encoding === "PLAIN";
  if (about === undefined || about.is_compressed === false || !isKnown) {
    throw new UneditableError(`A Parquet file has a ${header.type} of another kind.`);
  }
  return about;
}

/** Throws as `aboutData`. */
export function dataPageOf(page: Page, levels: Levels): DataPage {
  const { header, body } = page;
  const about = aboutData(page);
  const repetitionEnd = about.repetition_levels_byte_length;
  const levelsEnd = repetitionEnd + about.definition_levels_byte_length;
  const { num_values: entries } = about;
  const compressed = body.subarray(levelsEnd);
  return {
    entries,
    rows: about.num_rows,
    nulls: about.num_nulls,
    repetition: readLevels(body.subarray(0, repetitionEnd), levels.repetition, entries),
    definition: readLevels(body.subarray(repetitionEnd, levelsEnd), levels.definition, entries),
    values: uncompressed(compressed, header.uncompressed_page_size - levelsEnd),
    compressed,
  };
}

function readLevels(bytes: Uint8Array, greatest: number, count: number): Numbers | undefined {
  return greatest === 0 ? undefined : readNumbers(bytes, widthOf(greatest), count);
}

/** Numbers of values of the dictionary. */
export function readIndexes(values: Uint8Array, count: number): Numbers {
  return readNumbers(values.subarray(1), count === 0 ? 0 : (values[0] ?? 0), count);
}

function uncompressed(bytes: Uint8Array, size: number): Uint8Array {
  const output = Buffer.allocUnsafeSlow(size); // all of it is filled, or this throws
  if (size > 0) uncompress(bytes, output);
  return output;
}

function readerOf(bytes: Uint8Array): { view: DataView; offset: number } {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
}
