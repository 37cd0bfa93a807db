import { SEPARATOR, type StoredColumn } from "../store/records.js";
import { SPELLED } from "../summary/value-counts.js";

/**
 * The character of the first value of a column: no later one is escaped in JSON, so that a column is read as fast as it
 * is copied. The values after it have the following characters.
 */
const FIRST = 0x5d;
/** Ends the values of a posting in a column of lists. */
const END = 0x2e;
/** Surrogates come after the characters of so many values. */
export const VALUES_MAX = 0xd7ff - FIRST;

/** Builds a column of values. */
export class ColumnBuilder {
  private readonly codeOf = new Map<string, number>();
  private codes = "";

  /** Number of different values. */
  get size(): number {
    return this.codeOf.size;
  }

  /** Adds a posting with one value. */
  addOne(value: string): void {
    this.codes += String.fromCharCode(this.code(value));
  }

  /** Adds a posting with any number of different values. */
  addList(values: readonly string[]): void {
    for (const value of values) this.addOne(value);
    this.codes += String.fromCharCode(END);
  }

  /** Adds the postings of another column of the same kind. */
  append(column: StoredColumn): void {
    const known = valuesOf(column);
    const mapped: number[] = [];
    const characters: number[] = [];
    const flush = () => {
      this.codes += String.fromCharCode(...characters);
      characters.length = 0;
    };
    for (let at = 0; at < column.codes.length; at++) {
      const character = column.codes.charCodeAt(at);
      if (character < FIRST) characters.push(character);
      else characters.push((mapped[character - FIRST] ??= this.code(known[character - FIRST] ?? "")));
      if (characters.length === APPENDED_AT_ONCE) flush();
    }
    flush();
  }

  stored(): StoredColumn {
    return { values: [...this.codeOf.keys()].join(SEPARATOR), codes: this.codes };
  }

  private code(value: string): number {
    const known = this.codeOf.get(value);
    if (known !== undefined) return known;
    const fresh = FIRST + this.codeOf.size;
    this.codeOf.set(value, fresh);
    return fresh;
  }
}

const APPENDED_AT_ONCE = 1024;

/** The values of a column, in the order of their codes. */
export function valuesOf({ values, codes }: StoredColumn): string[] {
  return codes === "" ? [] : values.split(SEPARATOR);
}

/** Whether a posting is a hit so far: 1, otherwise 0. */
export type Mask = Uint8Array;

/** Keeps the hits whose value is accepted. Returns how many there are. */
export function keepAccepted(mask: Mask, column: StoredColumn, accepts: (value: string) => boolean): number {
  const accepted = Uint8Array.from(valuesOf(column), (value) => (accepts(value) ? 1 : 0));
  if (!accepted.includes(1)) {
    mask.fill(0);
    return 0;
  }
  const { codes } = column;
  let hits = 0;
  for (let index = 0; index < mask.length; index++) {
    const kept = (mask[index] ?? 0) & (accepted[codes.charCodeAt(index) - FIRST] ?? 0);
    mask[index] = kept;
    hits += kept;
  }
  return hits;
}

/** Keeps the hits whose list has one of the values, or none at all if that is wanted. Returns how many there are. */
export function keepListed(
  mask: Mask,
  column: StoredColumn,
  wanted: { codes: ReadonlySet<number>; none: boolean },
): number {
  let index = 0;
  let hits = 0;
  let values = 0;
  let fits = false;
  const { codes } = column;
  for (let at = 0; at < codes.length; at++) {
    const character = codes.charCodeAt(at);
    if (character !== END) {
      values += 1;
      fits ||= wanted.codes.has(character - FIRST);
      continue;
    }
    if (!fits && !(wanted.none && values === 0)) mask[index] = 0;
    hits += mask[index] ?? 0;
    index += 1;
    values = 0;
    fits = false;
  }
  return hits;
}

/**
 * The codes of those values that the column has, in any of their spellings. Looks for them in the text, which is faster
 * than splitting it.
 */
export function codesOf(column: StoredColumn, values: readonly string[]): Set<number> {
  const codes = new Set<number>();
  if (column.codes === "") return codes;
  const text = SEPARATOR + column.values + SEPARATOR;
  for (const value of values) {
    const start = SEPARATOR + value;
    for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
      const next = text.charAt(at + start.length);
      if (next === SEPARATOR || next === SPELLED) codes.add(separatorsBefore(text, at));
    }
  }
  return codes;
}

function separatorsBefore(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf(SEPARATOR); at < end; at = text.indexOf(SEPARATOR, at + 1)) count += 1;
  return count;
}

/** Calls back with each value of the hits, and how many of them have it. */
export function countHits(mask: Mask, column: StoredColumn, add: (value: string, count: number) => void): void {
  const { codes } = column;
  const values = valuesOf(column);
  const counts = new Uint32Array(values.length);
  // Only lists have ends, and a posting without any value has one, too.
  const isList = codes.length !== mask.length || codes.charCodeAt(0) === END;
  let index = 0;
  for (let at = 0; at < codes.length; at++) {
    const character = codes.charCodeAt(at);
    if (character !== END && mask[index] === 1) counts[character - FIRST] = (counts[character - FIRST] ?? 0) + 1;
    if (character === END || !isList) index += 1;
  }
  counts.forEach((count, code) => {
    if (count > 0) add(values[code] ?? "", count);
  });
}
