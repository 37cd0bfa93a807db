/** Where a row group lies in its file, in bytes, and how many rows it has. */
export interface GroupSpan {
  readonly start: number;
  readonly end: number;
  readonly rows: number;
}

/** A row group of which rows are to be left out, by their number in it. */
export interface GroupEdit {
  readonly index: number;
  readonly bytes: Uint8Array;
  readonly dropped: readonly number[];
}

/** A Parquet file of which rows are to be left out: its first bytes, and its row groups. */
export interface OpenedParquet {
  readonly first: Uint8Array;
  readonly groups: readonly GroupSpan[];
}

/** Leaves rows out of one Parquet file at a time; the groups in their order. */
export interface ParquetThread {
  openParquet(footer: Uint8Array): Promise<OpenedParquet>;
  keepGroup(index: number): Promise<void>;
  editGroup(edit: GroupEdit): Promise<Uint8Array>;
  closeParquet(): Promise<Uint8Array>;
}
