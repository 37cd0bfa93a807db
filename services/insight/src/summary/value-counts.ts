import { SEPARATOR } from "../store/records.js";

/** Values that a stored list has at most; more are left out, the rarest first. */
export const LISTED_MAX = 50_000;

/** Values and how often they occur. Of more than twice its limit, the rarest are left out, and the loss is stated. */
export class ValueCounts {
  /** By how much a count may be too low at most, also that of a value which is left out. */
  error = 0;
  /** Values left out, at most. */
  dropped = 0;
  private counts = new Map<string, number>();

  constructor(private readonly limit = LISTED_MAX) {}

  /** Number of values. */
  get size(): number {
    return this.counts.size;
  }

  get(value: string): number {
    return this.counts.get(value) ?? 0;
  }

  add(value: string, count = 1): void {
    this.counts.set(value, this.get(value) + count);
    if (this.size > 2 * this.limit) this.cut(this.limit);
  }

  /** Adds values that are joined by separators, as `joined` gives them. */
  addJoined(values: string, counts: readonly number[]): void {
    for (const [index, value] of values.split(SEPARATOR).entries()) this.add(value, counts[index]);
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
    this.counts = new Map(sorted.slice(0, limit));
  }

  /** In the order in which they came. */
  [Symbol.iterator](): IterableIterator<[value: string, count: number]> {
    return this.counts.entries();
  }

  /** Characters of all values, each with a separator. */
  get characters(): number {
    let characters = 0;
    for (const value of this.counts.keys()) characters += value.length + 1;
    return characters;
  }

  /** All values joined by separators, in parts of limited size; a longer value is a part by itself. */
  joined(characters: number): { values: string; counts: number[] }[] {
    const parts: { values: string; counts: number[] }[] = [];
    for (const [value, count] of this.counts) {
      const part = parts.at(-1);
      if (part !== undefined && part.values.length + 1 + value.length <= characters) {
        part.values += SEPARATOR + value;
        part.counts.push(count);
      } else parts.push({ values: value, counts: [count] });
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
    for (const [value, count] of this.counts) {
      if (count < least) continue;
      found.push([value, count]);
      if (found.length < 4 * length) continue;
      found = found.sort(byFrequency).slice(0, length);
      least = found.at(-1)?.[1] ?? 0;
    }
    return found.sort(byFrequency).slice(0, length);
  }
}

export function byFrequency([value, count]: [string, number], [other, others]: [string, number]): number {
  if (count !== others) return others - count;
  return value < other ? -1 : 1;
}
