import type { PostingJson } from "@hourglass/posting/columns";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { NO_BYTES, type Encoder } from "./encoder.js";
import { parquetColumns, parquetSchema, type ParquetColumn } from "./parquet-schema.js";

/** A row group is held in memory until it is written: at most so many postings, and so many bytes of their lines. */
const ROWS_MAX = 20_000;
const WEIGHT_MAX = 8 * 1024 * 1024;

/** Writes postings as Parquet. It takes most of a second for a row group, so it belongs into a thread. */
export class ParquetEncoder implements Encoder {
  private readonly columns: readonly ParquetColumn[];
  private readonly bytes = new ByteWriter();
  private readonly writer: ParquetWriter;
  private group: unknown[][];
  private rows = 0;
  private weight = 0;

  constructor(keys: readonly string[]) {
    this.columns = parquetColumns(keys);
    this.group = this.columns.map(() => []);
    this.writer = new ParquetWriter({
      writer: this.bytes,
      schema: parquetSchema(this.columns),
      createdBy: "hourglass",
    });
  }

  begin(): Uint8Array {
    return this.taken();
  }

  add(postings: readonly PostingJson[], weight: number): Uint8Array {
    for (const [index, { read }] of this.columns.entries()) this.group[index]?.push(...postings.map(read));
    this.rows += postings.length;
    this.weight += weight;
    if (this.rows < ROWS_MAX && this.weight < WEIGHT_MAX) return NO_BYTES;
    this.writeGroup();
    return this.taken();
  }

  end(): Uint8Array {
    this.writeGroup();
    void this.writer.finish(); // synchronous: the bytes are written to memory
    return this.taken();
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

  /** The bytes written since the last call. The writer keeps counting offsets from the begin of the file. */
  private taken(): Uint8Array {
    const bytes = this.bytes.getBytes().slice();
    this.bytes.index = 0;
    return bytes;
  }
}
