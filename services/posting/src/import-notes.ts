import { counted, nearest } from "@hourglass/runtime";

/** What is shown of a name or a value: a file may hold very long ones. */
const CHARACTERS_MAX = 60;
const COLUMNS_MAX = 100;
const PAIRS_MAX = 20;
const ROWS_MAX = 20;

/** A value of a file and what it was taken for; undefined: for missing. */
interface Reading {
  readonly given: string;
  readonly read: string | undefined;
}

/** What an import did with a file that its owner may not expect. Holds little, however large the file is. */
export class ImportNotes {
  /** The row that is being read. */
  row = 0;
  private readonly sentences: string[] = [];
  private readonly readings = new Map<string, Map<string, Reading>>();
  private readonly firstRows = new Map<string, number>();
  private readonly short: number[] = [];
  private shortRows = 0;

  /** One sentence for each thing. */
  get warnings(): string[] {
    return [...this.sentences, ...this.shortRowsSentence(), ...this.readingSentences()];
  }

  add(sentence: string): void {
    this.sentences.push(sentence);
  }

  /** Columns that no key is read from; `names` may be some of `count`, and `keys` what they may have been meant for. */
  unused(names: readonly string[], count: number, keys: readonly string[]): void {
    if (count === 0) return;
    const listed = names.slice(0, COLUMNS_MAX).map((name) => {
      const meant = nearest(name, keys);
      return meant === undefined || meant === name ? shown(name) : `${shown(name)} (did you mean ${meant}?)`;
    });
    const more = count > listed.length ? [`and ${counted(count - listed.length, "other")}`] : [];
    this.add(`Columns that are not used: ${[...listed, ...more].join(", ")}. A map can name them.`);
  }

  /** Columns whose name stands in the header again. */
  doubled(names: readonly string[]): void {
    if (names.length === 0) return;
    const listed = names.slice(0, COLUMNS_MAX).map(shown).join(", ");
    this.add(`Columns that stand more than once in the header, and of which the first is read: ${listed}.`);
  }

  /** The current row has fewer cells than the header. */
  shortRow(): void {
    if (++this.shortRows <= ROWS_MAX) this.short.push(this.row);
  }

  /** The current row has another value than it states. */
  readAs(key: string, given: string, read: string | undefined): void {
    const known = this.readings.get(key) ?? new Map<string, Reading>();
    this.readings.set(key, known);
    if (known.size > PAIRS_MAX || known.has(given)) return;
    known.set(given, { given, read });
    if (!this.firstRows.has(key)) this.firstRows.set(key, this.row);
  }

  private shortRowsSentence(): string[] {
    if (this.shortRows === 0) return [];
    const more = this.shortRows - this.short.length;
    const rows = `${this.short.join(", ")}${more > 0 ? `, and ${counted(more, "other")}` : ""}`;
    return [`Rows with fewer cells than the header, whose last columns count as empty: ${rows}.`];
  }

  private readingSentences(): string[] {
    return [...this.readings].map(([key, readings]) => {
      const listed = [...readings.values()].slice(0, PAIRS_MAX).map(described);
      const more = readings.size > PAIRS_MAX ? ", and others" : "";
      return `${key}: ${listed.join(", ")}${more}, from row ${this.firstRows.get(key) ?? 0} on.`;
    });
  }
}

function described({ given, read }: Reading): string {
  return read === undefined ? `${shown(given)} counts as missing` : `${shown(given)} is read as ${shown(read)}`;
}

function shown(text: string): string {
  return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text;
}
