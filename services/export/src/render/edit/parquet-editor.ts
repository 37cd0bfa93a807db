import { type FileMetaData, parquetMetadata, type RowGroup } from "hyparquet";
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getSchemaPath } from "hyparquet/src/schema.js";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { writeWithoutRows } from "./column-chunk.js";
import type { Levels } from "./column-pages.js";
import type { GroupEdit, GroupSpan } from "./parquet-thread.js";
import { UneditableError } from "./uneditable-error.js";

/**
 * Leaves rows out of a Parquet file, a row group at a time and in order. Only the groups that lose rows are encoded
 * anew; others are copied by the caller as they are, and only the footer tells where they are now. Every method throws
 * UneditableError if the file is written in another way than this release does.
 */
export class ParquetEditor {
  private readonly metadata: FileMetaData;
  private readonly levels: readonly Levels[];
  private readonly bytes = new ByteWriter();
  private readonly output: ParquetWriter;

  /** `footer` is the end of the file, as much as its last eight bytes say. */
  constructor(footer: Uint8Array) {
    this.metadata = parquetMetadata(new Uint8Array(footer).buffer);
    const { schema, row_groups: groups, created_by: createdBy } = this.metadata;
    this.levels = (groups[0]?.columns ?? []).map(({ meta_data: meta }) => {
      const path = getSchemaPath(schema, meta?.path_in_schema ?? []);
      return { repetition: getMaxRepetitionLevel(path), definition: getMaxDefinitionLevel(path) };
    });
    this.output = new ParquetWriter({ writer: this.bytes, schema, ...(createdBy === undefined ? {} : { createdBy }) });
  }

  get groups(): GroupSpan[] {
    return this.metadata.row_groups.map((group) => {
      const start = startOf(group);
      return { start, end: start + sizeOf(group), rows: Number(group.num_rows) };
    });
  }

  /** The first bytes of the file. */
  begin(): Uint8Array {
    return this.taken();
  }

  /** The bytes of the group follow as they are. */
  keep(index: number): void {
    const group = this.group(index);
    this.add(group, this.bytes.offset - startOf(group));
    this.bytes.offset += sizeOf(group);
  }

  /** The bytes of the group without the rows. */
  edit({ index, bytes, dropped }: GroupEdit): Uint8Array {
    const group = this.group(index);
    const rows = Number(group.num_rows);
    if (dropped.length === rows) return this.taken();
    const begin = this.bytes.offset;
    const columns = group.columns.map((_, column) => this.editColumn({ group, column, bytes, dropped }));
    const sum = columns.reduce((total, { meta_data: meta }) => total + meta.total_uncompressed_size, 0n);
    this.add(
      {
        ...group,
        columns,
        num_rows: BigInt(rows - dropped.length),
        total_byte_size: sum,
        total_compressed_size: BigInt(this.bytes.offset - begin),
      },
      0,
    );
    return this.taken();
  }

  /** The last bytes of the file. */
  end(): Uint8Array {
    void this.output.finish(); // synchronous: the bytes are written to memory
    return this.taken();
  }

  private editColumn({
    group,
    column,
    bytes,
    dropped,
  }: {
    group: RowGroup;
    column: number;
    bytes: Uint8Array;
    dropped: readonly number[];
  }) {
    const { meta_data: meta } = group.columns[column] ?? {};
    const levels = this.levels[column];
    if (meta === undefined || levels === undefined) throw new UneditableError("A Parquet file has a column too many.");
    const start = Number(meta.dictionary_page_offset ?? meta.data_page_offset) - startOf(group);
    const chunk = bytes.subarray(start, start + Number(meta.total_compressed_size));
    const offset = this.bytes.offset;
    const edited = writeWithoutRows(this.bytes, { bytes: chunk, meta, levels }, dropped);
    return { file_offset: BigInt(offset), meta_data: moved(edited, offset) };
  }

  private group(index: number): RowGroup {
    const group = this.metadata.row_groups[index];
    if (group === undefined) throw new UneditableError(`A Parquet file has no row group ${index}.`);
    const isIndexed = group.columns.some(
      ({ meta_data: meta, offset_index_offset: offset }) =>
        offset !== undefined || meta === undefined || meta.bloom_filter_offset !== undefined,
    );
    if (isIndexed) throw new UneditableError("A Parquet file has indexes.");
    return group;
  }

  private add(group: RowGroup, by: number): void {
    this.output.row_groups.push({
      ...group,
      columns: group.columns.map((chunk) => ({
        ...chunk,
        file_offset: chunk.file_offset + BigInt(by),
        ...(chunk.meta_data === undefined ? {} : { meta_data: moved(chunk.meta_data, by) }),
      })),
    });
    this.output.num_rows += group.num_rows;
  }

  /** The bytes written since the last call. The writer keeps counting offsets from the begin of the file. */
  private taken(): Uint8Array {
    const bytes = this.bytes.getBytes().slice();
    this.bytes.index = 0;
    return bytes;
  }
}

type Moved = NonNullable<RowGroup["columns"][number]["meta_data"]>;

function moved(meta: Moved, by: number): Moved {
  const { data_page_offset: data, dictionary_page_offset: dictionary } = meta;
  return {
    ...meta,
    data_page_offset: data + BigInt(by),
    ...(dictionary === undefined ? {} : { dictionary_page_offset: dictionary + BigInt(by) }),
  };
}

/** The row groups of this release begin with their first column, and nothing lies between columns. */
function startOf({ columns: [first] }: RowGroup): number {
  const meta = first?.meta_data;
  return Number(meta?.dictionary_page_offset ?? meta?.data_page_offset ?? 0n);
}

function sizeOf({ columns }: RowGroup): number {
  return columns.reduce((size, { meta_data: meta }) => size + Number(meta?.total_compressed_size ?? 0n), 0);
}
