import { POSTING_FIELDS, type PostingJson, type PostingValue } from "@hourglass/posting/columns";
import type { SchemaElement } from "hyparquet-writer";

/** Parquet only: date and time in one column. */
export const POSTED_AT = "posted_at";

/** A column of a Parquet file. */
export interface ParquetColumn {
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
  read: ({ post_date: date, post_time: time }) =>
    typeof date === "string" && typeof time === "string" ? momentOf(date, time) : null,
};

function momentOf(date: string, time: string): Date {
  const [month = 1, day = 1, year = 1970] = date.split("/").map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds));
}

const COLUMNS: ReadonlyMap<string, ParquetColumn> = new Map(
  POSTING_FIELDS.map(({ key, value }) => {
    const { elementsOf, statistics, convert } = TYPES[value];
    const read = (posting: PostingJson) => {
      const held = posting[key] ?? null;
      return held === null ? null : convert(held);
    };
    return [key, { name: key, elements: elementsOf(key), statistics, read }];
  }),
);

/** The columns of a file with these keys. The moment comes last, if the file has date and time. */
export function parquetColumns(keys: readonly string[]): ParquetColumn[] {
  const columns = keys.flatMap((key) => COLUMNS.get(key) ?? []);
  return keys.includes("post_date") && keys.includes("post_time") ? [...columns, MOMENT] : columns;
}

/** The schema of a file, its root first. */
export function parquetSchema(columns: readonly ParquetColumn[]): SchemaElement[] {
  return [{ name: "postings", num_children: columns.length }, ...columns.flatMap(({ elements }) => elements)];
}
