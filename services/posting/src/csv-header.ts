import { giveOneOf } from "@hourglass/runtime";
import type { Violations } from "@hourglass/runtime/json";
import { columnsOf, type ColumnMap } from "./csv-layout.js";
import type { CsvRow } from "./csv-rows.js";
import type { ImportNotes } from "./import-notes.js";
import { wrong } from "./json-reader.js";

const NAMES_KEPT_MAX = 100;
const NAME_CHARACTERS_MAX = 60;

/** The header of a CSV file. Of its columns, of which there may be a million, it keeps those that a layout could read. */
export class CsvHeader {
  /** How many columns the file has. */
  readonly width: number;
  private readonly places = new Map<string, number>();
  private readonly doubled = new Set<string>();
  /** The first of the columns, as errors show them. */
  private readonly shown: string[] = [];
  private readonly others: string[] = [];
  private otherCount = 0;

  /** `wanted`: columns that a layout could read. */
  constructor(row: CsvRow, wanted: ReadonlySet<string>) {
    this.width = row.cells;
    for (let index = 0; index < row.cells; index++) {
      const name = row.cell(index).trim();
      if (index < NAMES_KEPT_MAX) this.shown.push(name.slice(0, NAME_CHARACTERS_MAX));
      if (!wanted.has(name)) {
        if (++this.otherCount <= NAMES_KEPT_MAX) this.others.push(name === "" ? `the nameless ${index + 1}` : name);
      } else if (this.places.has(name)) this.doubled.add(name);
      else this.places.set(name, index);
    }
  }

  has(column: string): boolean {
    return this.places.has(column);
  }

  /** The index of a column; -1 if there is none. */
  indexOf(column: string): number {
    return this.places.get(column) ?? -1;
  }

  /** So many cells of a row hold all that these columns do. */
  cellsFor(columns: Iterable<string>): number {
    return Math.max(0, ...[...columns].map((column) => this.indexOf(column) + 1));
  }

  get sentence(): string {
    return `The file has these columns: ${this.shown.join(", ")}.`;
  }

  /** Adds a violation for every key of the map whose columns the file does not have. */
  check(map: ColumnMap, path: string, violations: Violations): void {
    for (const [key, source] of map) {
      const needed = columnsOf(source);
      const missing = needed.filter((column) => !this.has(column));
      // Of alternatives one is enough.
      const isReadable = "first" in source ? missing.length < needed.length : missing.length === 0;
      if (!isReadable) wrong(violations, `${path}.${key}`, giveOneOf(this.shown, missing[0]));
    }
  }

  /** Notes what is not read, but for what is `ignored` by design; `keys` are those that a column may have been meant for. */
  note(notes: ImportNotes, used: ReadonlySet<string>, ignored: ReadonlySet<string>, keys: readonly string[]): void {
    const passedOver = [...this.places.keys()].filter((name) => !used.has(name) && !ignored.has(name));
    notes.unused([...passedOver, ...this.others], passedOver.length + this.otherCount, keys);
    notes.doubled([...this.doubled].filter((name) => !ignored.has(name)));
  }
}
