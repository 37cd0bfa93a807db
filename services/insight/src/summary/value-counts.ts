import { SEPARATOR } from "../store/records.js";

/** Values that a stored list has at most; more are left out, the rarest first. */
export const LISTED_MAX = 50_000;

/** Between the form in which a value is compared and the one in which it is shown, where they differ. No value has it. */
export const SPELLED = "\x1e";

/** A value with its spelling: how lists and columns hold it. */
export function spelledValue(value: string, spelling: string): string {
  return value === spelling ? value : value + SPELLED + spelling;
}

/** The form in which a value is compared. */
export function bareValue(spelled: string): string {
  const end = spelled.indexOf(SPELLED);
  return end < 0 ? spelled : spelled.slice(0, end);
}

/** Spellings of a value of which the counts are kept. */
const SPELLINGS_MAX = 16;

/** How often a value occurs, and how it is spelled. */
class Entry {
  count = 0;
  /** All of a value that is spelled in several ways; most values are not. */
  private spellings: Map<string, number> | undefined;

  constructor(private readonly first: string) {}

  add(spelling: string, count: number): void {
    if (this.spellings !== undefined || spelling !== this.first) {
      this.spellings ??= new Map([[this.first, this.count]]);
      const known = this.spellings.get(spelling);
      if (known !== undefined || this.spellings.size < SPELLINGS_MAX)
        this.spellings.set(spelling, (known ?? 0) + count);
    }
    this.count += count;
  }

  /** The most frequent one; of equally frequent ones, the first by its characters. */
  get spelling(): string {
    return this.spellings === undefined ? this.first : ([...this.spellings].sort(byFrequency)[0]?.[0] ?? this.first);
  }

  /** With counts that add up to that of the value: further spellings count for the most frequent one. */
  *spelled(): Generator<[spelling: string, count: number]> {
    if (this.spellings === undefined) {
      yield [this.first, this.count];
      return;
    }
    const [first, ...others] = [...this.spellings].sort(byFrequency);
    const left = others.reduce((rest, [, count]) => rest - count, this.count);
    yield [first?.[0] ?? this.first, left];
    yield* others;
  }
}

/**
 * Values and how often they occur, whatever their spelling. Of more than twice its limit, the rarest are left out, and the
 * loss is stated.
 */
export class ValueCounts {
  /** By how much a count may be too low at most, also that of a value which is left out. */
  error = 0;
  /** Values left out, at most. */
  dropped = 0;
  private entries = new Map<string, Entry>();

  constructor(private readonly limit = LISTED_MAX) {}

  /** Number of values. */
  get size(): number {
    return this.entries.size;
  }

  get(value: string): number {
    return this.entries.get(value)?.count ?? 0;
  }

  /** The most frequent spelling of a value. */
  spellingOf(value: string): string {
    return this.entries.get(value)?.spelling ?? value;
  }

  /** Adds a value as `spelledValue` gives it. */
  add(spelled: string, count = 1): void {
    const end = spelled.indexOf(SPELLED);
    const value = end < 0 ? spelled : spelled.slice(0, end);
    const spelling = end < 0 ? spelled : spelled.slice(end + 1);
    let entry = this.entries.get(value);
    if (entry === undefined) this.entries.set(value, (entry = new Entry(spelling)));
    entry.add(spelling, count);
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
    for (const [value] of sorted.slice(limit)) this.entries.delete(value);
  }

  /** In the order in which they came. */
  *[Symbol.iterator](): Generator<[value: string, count: number]> {
    for (const [value, { count }] of this.entries) yield [value, count];
  }

  /** Characters of all values and their spellings, each with a separator. */
  get characters(): number {
    let characters = 0;
    for (const [spelled] of this.spelled()) characters += spelled.length + 1;
    return characters;
  }

  /** Of one value, as `characters` counts them. */
  charactersOf(value: string): number {
    let characters = 0;
    for (const [spelling] of this.entries.get(value)?.spelled() ?? []) {
      characters += spelledValue(value, spelling).length + 1;
    }
    return characters;
  }

  /** All values joined by separators, in parts of limited size; a longer value is a part by itself. */
  joined(characters: number): { values: string; counts: number[] }[] {
    const parts: { values: string; counts: number[] }[] = [];
    for (const [spelled, count] of this.spelled()) {
      const part = parts.at(-1);
      if (part !== undefined && part.values.length + 1 + spelled.length <= characters) {
        part.values += SEPARATOR + spelled;
        part.counts.push(count);
      } else parts.push({ values: spelled, counts: [count] });
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
    for (const [value, { count }] of this.entries) {
      if (count < least) continue;
      found.push([value, count]);
      if (found.length < 4 * length) continue;
      found = found.sort(byFrequency).slice(0, length);
      least = found.at(-1)?.[1] ?? 0;
    }
    return found.sort(byFrequency).slice(0, length);
  }

  private *spelled(): Generator<[spelled: string, count: number]> {
    for (const [value, entry] of this.entries) {
      for (const [spelling, count] of entry.spelled()) yield [spelledValue(value, spelling), count];
    }
  }
}

export function byFrequency([value, count]: [string, number], [other, others]: [string, number]): number {
  if (count !== others) return others - count;
  return value < other ? -1 : 1;
}
