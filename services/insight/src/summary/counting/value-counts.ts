import { SEPARATOR } from "../../records/summary.js";
import { TextNumbers } from "./text-numbers.js";

/** Values that a stored list has at most; more are left out, the rarest first. */
export const LISTED_MAX = 50_000;

const SEPARATOR_UNIT = SEPARATOR.charCodeAt(0);

/** Values and how often they occur. Of more than twice its limit, the rarest are left out, and the loss is stated. */
export class ValueCounts {
  /** By how much a count may be too low at most, also that of a value which is left out. */
  error = 0;
  /** Values left out, at most. */
  dropped = 0;
  private numbers = new TextNumbers();
  /** By the number of the value. */
  private counts: number[] = [];

  constructor(private readonly limit = LISTED_MAX) {}

  /** Number of values. */
  get size(): number {
    return this.counts.length;
  }

  /** Memory it takes, in bytes. */
  get bytes(): number {
    return this.numbers.bytes + this.counts.length * Float64Array.BYTES_PER_ELEMENT;
  }

  /** The same values, which may then change apart from these. */
  copy(): ValueCounts {
    const copy = new ValueCounts(this.limit);
    copy.error = this.error;
    copy.dropped = this.dropped;
    copy.numbers = this.numbers.copy();
    copy.counts = this.counts.slice();
    return copy;
  }

  get(value: string): number {
    return this.counts[this.numbers.find(value)] ?? 0;
  }

  add(value: string, count = 1): void {
    this.addPart(value, 0, value.length, count);
  }

  /** Adds values that are joined by separators, as `joined` gives them. */
  addJoined(values: string, counts: readonly number[]): void {
    let start = 0;
    for (const count of counts) {
      let end = start;
      while (end < values.length && values.charCodeAt(end) !== SEPARATOR_UNIT) end += 1;
      this.addPart(values, start, end, count);
      start = end + 1;
    }
  }

  /** Adds what another list has lost. */
  addLoss({ error, dropped }: { error: number; dropped: number }): void {
    this.error += error;
    this.dropped += dropped;
  }

  /**
   * Keeps the most frequent values. What is left out occurs at most as often as the most frequent of it, and counts
   * from 0 if it occurs again, so the errors of several cuts add up.
   */
  cut(limit: number): void {
    if (this.size <= limit) return;
    const sorted = this.sorted();
    this.error += sorted[limit]?.[1] ?? 0;
    this.dropped += sorted.length - limit;
    this.numbers = new TextNumbers();
    this.counts = [];
    for (const [value, count] of sorted.slice(0, limit)) this.add(value, count);
  }

  /** In the order in which they came. */
  *[Symbol.iterator](): IterableIterator<[value: string, count: number]> {
    for (const [number, count] of this.counts.entries()) yield [this.numbers.textOf(number), count];
  }

  /** Characters of all values, each with a separator. */
  get characters(): number {
    return this.numbers.length;
  }

  /** All values joined by separators, in parts of limited size; a longer value is a part by itself. */
  joined(characters: number): { values: string; counts: number[] }[] {
    const parts: { values: string; counts: number[] }[] = [];
    for (let from = 0, to = 0; from < this.size; from = to) {
      let length = 0;
      do length += this.numbers.lengthOf(to++) + 1;
      while (to < this.size && length + this.numbers.lengthOf(to) <= characters);
      parts.push({ values: this.numbers.textsOf(from, to), counts: this.counts.slice(from, to) });
    }
    return parts;
  }

  /** Most frequent first; equally frequent ones by value. */
  sorted(): [value: string, count: number][] {
    return [...this].sort(byFrequency);
  }

  /** The first of `sorted`, without sorting all. */
  top(length: number): [value: string, count: number][] {
    let found: [string, number][] = [];
    let least = 0;
    for (const [number, count] of this.counts.entries()) {
      if (count < least) continue;
      found.push([this.numbers.textOf(number), count]);
      if (found.length < 4 * length) continue;
      found = found.sort(byFrequency).slice(0, length);
      least = found.at(-1)?.[1] ?? 0;
    }
    return found.sort(byFrequency).slice(0, length);
  }

  private addPart(source: string, start: number, end: number, count: number): void {
    const number = this.numbers.numberOf(source, start, end);
    if (number < this.counts.length) {
      this.counts[number] = (this.counts[number] ?? 0) + count;
      return;
    }
    this.counts.push(count);
    if (this.counts.length > 2 * this.limit) this.cut(this.limit);
  }
}

export function byFrequency([value, count]: [string, number], [other, others]: [string, number]): number {
  if (count !== others) return others - count;
  return value < other ? -1 : 1;
}
