import type { ColumnMetaData, Encoding, Statistics } from "hyparquet";
import { ByteWriter } from "hyparquet-writer";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import { aboutData, type Levels, type Page, pagesOf, dictionaryOf, readIndexes } from "./column-pages.js";
import { boundsOf, spansOf, type ValueType } from "./column-values.js";
import { cutSize, withoutCuts } from "./cuts.js";
import { type CopiedPage, type EditedPage, editedPages, keptPages } from "./kept-pages.js";
import { type Numbers, widthOf, withoutNumbers, writeNumbers } from "./numbers.js";
import { cutCompressed } from "./snappy.js";
import { UneditableError } from "./uneditable-error.js";

/** The values of one column in a row group. */
export interface ColumnChunk {
  readonly bytes: Uint8Array;
  readonly meta: ColumnMetaData;
  readonly levels: Levels;
}

/**
 * Writes a column chunk without some rows, which are given by their numbers in order, and returns what is said of it.
 * Values that no other row has leave the dictionary as well. Offsets of the answer count from the begin of the chunk.
 * Throws UneditableError if the chunk is written in another way than this release does.
 */
export function writeWithoutRows(
  writer: ByteWriter,
  { bytes, meta, levels }: ColumnChunk,
  dropped: readonly number[],
): ColumnMetaData {
  const { type, codec, statistics } = meta;
  if ((type !== "INT64" && type !== "BYTE_ARRAY") || codec !== "SNAPPY") {
    throw new UneditableError(`A Parquet file has a column of ${type} in ${codec}.`);
  }
  const [first, ...others] = pagesOf(bytes);
  const dictionary = first?.header.type === "DICTIONARY_PAGE" ? first : undefined;
  const data = dictionary === undefined && first !== undefined ? [first, ...others] : others;
  if (data.some((page) => (aboutData(page).encoding === "PLAIN") !== (dictionary === undefined))) {
    throw new UneditableError("A Parquet file has a column in two encodings.");
  }
  const output = new ChunkWriter(writer, levels);
  const shortened = { pages: data, levels, dropped };
  if (dictionary !== undefined) {
    const pages = editedPages(shortened);
    const plain = writeByDictionary(output, pages, { type, dictionary });
    return output.finish(meta, { pages, statistics: statistics && statisticsOf(pages, type, [plain]) });
  }
  if (statistics === undefined) {
    const pages = keptPages(shortened);
    for (const page of pages) writePlain(output, page, type);
    return output.finish(meta, { pages, statistics });
  }
  const pages = editedPages(shortened);
  for (const page of pages) writePlain(output, page, type);
  const plain = pages.map(({ data: { values }, droppedValues }) =>
    withoutCuts(values, spansOf(values, type, droppedValues)),
  );
  return output.finish(meta, { pages, statistics: statisticsOf(pages, type, plain) });
}

function statisticsOf(pages: readonly EditedPage[], type: ValueType, plain: readonly Uint8Array[]): Statistics {
  const nulls = pages.reduce((sum, page) => sum + page.nulls, 0);
  return { ...(boundsOf(plain, type) ?? {}), null_count: BigInt(nulls) };
}

function writePlain(output: ChunkWriter, page: CopiedPage | EditedPage, type: ValueType): void {
  if (page.copied !== undefined) {
    output.writeCopy(page.copied);
    return;
  }
  const { values, compressed } = page.data;
  const cuts = spansOf(values, type, page.droppedValues);
  const body =
    cuts.length > CUTS_MAX ? snappyCompress(withoutCuts(values, cuts)) : cutCompressed(compressed, values, cuts);
  output.writeData(page, { body, size: values.length - cutSize(cuts), encoding: "PLAIN" });
}

/** Beyond so many cuts in a page, compressing it anew is better. */
const CUTS_MAX = 64;

/** Returns the values that the dictionary keeps. */
function writeByDictionary(
  output: ChunkWriter,
  pages: readonly EditedPage[],
  { type, dictionary }: { type: ValueType; dictionary: Page },
): Uint8Array {
  const indexes = pages.map(({ data: { values, entries, nulls }, droppedValues }) =>
    withoutNumbers(readIndexes(values, entries - nulls), droppedValues),
  );
  const kept = keptDictionary(dictionary, type, indexes);
  output.writeDictionary(kept);
  for (const [number, page] of pages.entries()) {
    const values = indexesOf(indexes[number] ?? NO_NUMBERS, kept.renumbered);
    output.writeData(page, { body: snappyCompress(values), size: values.length, encoding: "RLE_DICTIONARY" });
  }
  return kept.plain;
}

interface KeptDictionary {
  readonly page: Page;
  readonly plain: Uint8Array;
  readonly count: number;
  /** Undefined if all values are kept. */
  readonly renumbered: Uint32Array | undefined;
}

function keptDictionary(page: Page, type: ValueType, indexes: readonly Numbers[]): KeptDictionary {
  const size = page.header.dictionary_page_header?.num_values ?? 0;
  const isUsed = new Uint8Array(size);
  for (const ofPage of indexes) markUsed(isUsed, ofPage);
  const renumbered = new Uint32Array(size);
  const unused: number[] = [];
  for (let index = 0; index < size; index++) {
    renumbered[index] = index - unused.length;
    if (isUsed[index] === 0) unused.push(index);
  }
  const plain = dictionaryOf(page);
  return {
    page,
    plain: withoutCuts(plain, spansOf(plain, type, unused)),
    count: size - unused.length,
    renumbered: unused.length === 0 ? undefined : renumbered,
  };
}

function markUsed(isUsed: Uint8Array, indexes: Numbers): void {
  if (indexes instanceof Uint32Array) for (const index of indexes) isUsed[index] = 1;
  else if (indexes.length > 0) isUsed[indexes.value] = 1;
}

function indexesOf(indexes: Numbers, renumbered: Uint32Array | undefined): Uint8Array {
  const numbers = renumbered === undefined ? indexes : renumberedBy(renumbered, indexes);
  const writer = new ByteWriter();
  const width = widthOf(greatestOf(numbers));
  writer.appendUint8(width);
  writeNumbers(writer, numbers, width);
  return writer.getBytes();
}

function renumberedBy(numbers: Uint32Array, indexes: Numbers): Numbers {
  if (indexes instanceof Uint32Array) return indexes.map((index) => numbers[index] ?? 0);
  return { ...indexes, value: numbers[indexes.value] ?? 0 };
}

function greatestOf(numbers: Numbers): number {
  if (!(numbers instanceof Uint32Array)) return numbers.length === 0 ? 0 : numbers.value;
  let greatest = 0;
  for (const number of numbers) if (number > greatest) greatest = number;
  return greatest;
}

const NO_NUMBERS: Numbers = { value: 0, length: 0 };

/** Writes the pages of a chunk. */
class ChunkWriter {
  private readonly begin: number;
  private uncompressedSize = 0;
  private dictionarySize = 0;

  constructor(
    private readonly writer: ByteWriter,
    private readonly levels: Levels,
  ) {
    this.begin = writer.offset;
  }

  writeDictionary({ page, plain, count, renumbered }: KeptDictionary): void {
    const uncompressed_page_size = plain.length;
    if (renumbered === undefined) {
      this.writer.appendBytes(page.bytes);
      this.uncompressedSize += page.bytes.length - page.body.length + uncompressed_page_size;
    } else {
      const body = snappyCompress(plain);
      writePageHeader(this.writer, {
        type: "DICTIONARY_PAGE",
        uncompressed_page_size,
        compressed_page_size: body.length,
        dictionary_page_header: { num_values: count, encoding: "PLAIN" },
      });
      this.uncompressedSize += this.size + uncompressed_page_size;
      this.writer.appendBytes(body);
    }
    this.dictionarySize = this.size;
  }

  writeCopy({ header, bytes, body }: Page): void {
    this.writer.appendBytes(bytes);
    this.uncompressedSize += bytes.length - body.length + header.uncompressed_page_size;
  }

  /** `body` holds values of `size` bytes, compressed. */
  writeData(
    { repetition, definition, entries, rows, nulls }: EditedPage,
    { body, size, encoding }: { body: Uint8Array; size: number; encoding: Encoding },
  ): void {
    const levels = new ByteWriter();
    const write = (numbers: Numbers | undefined, greatest: number): number =>
      numbers === undefined ? 0 : writeNumbers(levels, numbers, widthOf(greatest));
    const repetition_levels_byte_length = write(repetition, this.levels.repetition);
    const definition_levels_byte_length = write(definition, this.levels.definition);
    const begin = this.writer.offset;
    writePageHeader(this.writer, {
      type: "DATA_PAGE_V2",
      uncompressed_page_size: levels.offset + size,
      compressed_page_size: levels.offset + body.length,
      data_page_header_v2: {
        num_values: entries,
        num_nulls: nulls,
        num_rows: rows,
        encoding,
        definition_levels_byte_length,
        repetition_levels_byte_length,
        is_compressed: true,
      },
    });
    this.uncompressedSize += this.writer.offset - begin + levels.offset + size;
    this.writer.appendBytes(levels.getBytes());
    this.writer.appendBytes(body);
  }

  finish(
    meta: ColumnMetaData,
    { pages, statistics }: { pages: readonly { readonly entries: number }[]; statistics: ColumnMetaData["statistics"] },
  ): ColumnMetaData {
    const stats = meta.encoding_stats?.map((each) =>
      each.page_type === "DATA_PAGE_V2" ? { ...each, count: pages.length } : each,
    );
    return {
      ...meta,
      num_values: BigInt(pages.reduce((sum, { entries }) => sum + entries, 0)),
      total_compressed_size: BigInt(this.size),
      total_uncompressed_size: BigInt(this.uncompressedSize),
      data_page_offset: BigInt(this.dictionarySize),
      ...(meta.dictionary_page_offset === undefined ? {} : { dictionary_page_offset: 0n }),
      ...(statistics === undefined ? {} : { statistics }),
      ...(stats === undefined ? {} : { encoding_stats: stats }),
    };
  }

  /** Bytes of the chunk so far. */
  private get size(): number {
    return this.writer.offset - this.begin;
  }
}
