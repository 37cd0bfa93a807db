import { POSTED_AT, POSTING_FIELDS, type PostingJson, type PostingValue } from "@hourglass/posting/columns";
import { ByteWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";

/** A row group is held in memory until it is written: at most so many postings, and so many bytes of their lines. */
const ROWS_MAX = 20_000;
const WEIGHT_MAX = 8 * 1024 * 1024;

/** Writes postings as Parquet. It takes most of a second for a row group, so it belongs in a thread. */
export class ParquetEncoder {
  private readonly columns: readonly ParquetColumn[];
  private readonly bytes = new ByteWriter();
  private readonly writer: ParquetWriter;
  private group: unknown[][];
  private rows = 0;
  private weight = 0;

  constructor(keys: readonly string[]) {
    this.columns = keys.flatMap((key) => COLUMNS.get(key) ?? []);
    this.group = this.columns.map(() => []);
    this.writer = new ParquetWriter({
      writer: this.bytes,
      schema: parquetSchema(this.columns),
      createdBy: "hourglass",
    });
  }

  begin(): Uint8Array {
    return this.take();
  }

  add(postings: readonly PostingJson[], weight: number): Uint8Array {
    for (const [index, { read }] of this.columns.entries()) this.group[index]?.push(...postings.map(read));
    this.rows += postings.length;
    this.weight += weight;
    if (this.rows < ROWS_MAX && this.weight < WEIGHT_MAX) return NO_BYTES;
    this.writeGroup();
    return this.take();
  }

  end(): Uint8Array {
    this.writeGroup();
    void this.writer.finish(); // synchronous: the bytes are written to memory
    return this.take();
  }

  private writeGroup(): void {
    if (this.rows === 0) return;
    const columnData = this.columns.map(({ name, statistics }, index) => {
      return { name, data: this.group[index] ?? [], statistics, offsetIndex: false };
    });
    void this.writer.write({ columnData, rowGroupSize: this.rows }); // synchronous as well
    this.group = this.columns.map(() => []);
    this.rows = 0;
    this.weight = 0;
  }

  /** The bytes written since the last call. The writer still counts offsets from the start of the file. */
  private take(): Uint8Array {
    const bytes = this.bytes.getBytes().slice();
    this.bytes.index = 0;
    return bytes;
  }
}

const NO_BYTES = new Uint8Array(0);

/** A column of a Parquet file. */
interface ParquetColumn {
  readonly name: string;
  /** The elements of the schema that describe it. */
  readonly elements: readonly SchemaElement[];
  /** Whether the file states the least and the greatest value of a row group, for readers that filter. */
  readonly statistics: boolean;
  /** The value as the writer takes it; null if it is unavailable. */
  readonly read: (posting: PostingJson) => unknown;
}

type ColumnType = Pick<ParquetColumn, "statistics"> & {
  readonly elementsOf: (name: string) => SchemaElement[];
  readonly convert: (value: unknown) => unknown;
};

const optional = { repetition_type: "OPTIONAL" } as const;
const utf8 = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;

const TEXT: ColumnType = {
  elementsOf: (name) => [{ name, ...utf8, ...optional }],
  statistics: false,
  convert: (value) => value,
};

const TYPES: Readonly<Record<PostingValue, ColumnType>> = {
  text: TEXT,
  platform: { ...TEXT, statistics: true },
  date: TEXT,
  time: TEXT,
  texts: {
    elementsOf: (name) => [
      { name, converted_type: "LIST", logical_type: { type: "LIST" }, num_children: 1, ...optional },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      { name: "element", ...utf8, ...optional },
    ],
    statistics: false,
    convert: (value) => value,
  },
  count: {
    elementsOf: (name) => [{ name, type: "INT64", ...optional }],
    statistics: true,
    convert: (value) => BigInt(value as string),
  },
  object: {
    elementsOf: (name) => [
      { name, type: "BYTE_ARRAY", converted_type: "JSON", logical_type: { type: "JSON" }, ...optional },
    ],
    statistics: false,
    convert: (value) => value,
  },
};

/** Date and time in one column. */
const MOMENT: ParquetColumn = {
  name: POSTED_AT,
  elements: [
    {
      name: POSTED_AT,
      type: "INT64",
      converted_type: "TIMESTAMP_MILLIS",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
      ...optional,
    },
  ],
  statistics: true,
  read: ({ [POSTED_AT]: moment }) => (typeof moment === "string" ? new Date(moment) : null),
};

const COLUMNS: ReadonlyMap<string, ParquetColumn> = new Map([
  ...POSTING_FIELDS.map(({ key, value }) => {
    const { elementsOf, statistics, convert } = TYPES[value];
    const read = (posting: PostingJson) => {
      const stored = posting[key] ?? null;
      return stored === null ? null : convert(stored);
    };
    return [key, { name: key, elements: elementsOf(key), statistics, read }] as const;
  }),
  [POSTED_AT, MOMENT],
]);

/** The schema of a file, its root first. */
function parquetSchema(columns: readonly ParquetColumn[]): SchemaElement[] {
  return [{ name: "postings", num_children: columns.length }, ...columns.flatMap(({ elements }) => elements)];
}
