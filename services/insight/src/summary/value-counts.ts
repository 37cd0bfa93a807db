import { randomInt } from "node:crypto";
import { SEPARATOR } from "../store/records.js";

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

/** Random, so that nobody can choose texts that share a slot. */
const SEED = randomInt(2 ** 32) | 0;
const FACTOR = 0x01000193;

const UNIT_BYTES = Uint16Array.BYTES_PER_ELEMENT;
/** Most tables stay as small as this, and Node makes such arrays quickly. */
const SLOTS_AT_FIRST = 8;
const UNITS_AT_FIRST = 32;

/**
 * Numbers different texts in the order in which they come. Unlike a Map of strings it looks up a part of a text without
 * its own string, and keeps all texts beside each other: adding up long lists takes half of the time.
 */
class TextNumbers {
  /** Number of different texts. */
  size = 0;
  /** In a slot near the hash of a text, its number plus one; 0 is free. At least half of the slots are. */
  private slots = new Int32Array(0);
  /** Of each text its hash, and where it ends in `units`. */
  private records = new Int32Array(0);
  /** The texts, each with a separator after it. */
  private units = new Uint16Array(0);

  /** UTF-16 code units of all texts, each with a separator. */
  get length(): number {
    return this.startOf(this.size);
  }

  /** Memory it takes, in bytes. */
  get bytes(): number {
    return this.slots.byteLength + this.records.byteLength + this.units.byteLength;
  }

  /** The same texts with the same numbers, without room for more. */
  copy(): TextNumbers {
    const copy = new TextNumbers();
    copy.size = this.size;
    copy.slots = this.slots.slice();
    copy.records = this.records.slice();
    copy.units = this.units.slice(0, this.length);
    return copy;
  }

  /** The number of a text; -1 if it has none. */
  find(text: string): number {
    if (this.size === 0) return -1;
    return this.numberIn(this.slotOf(hashOf(text, 0, text.length), text, 0, text.length));
  }

  /** The number of a part of a text. One that is not known yet gets the next number. */
  numberOf(source: string, start: number, end: number): number {
    if (2 * this.size >= this.slots.length) this.grow();
    const hash = hashOf(source, start, end);
    const slot = this.slotOf(hash, source, start, end);
    const known = this.numberIn(slot);
    if (known >= 0) return known;
    this.append(hash, source, start, end);
    this.slots[slot] = this.size;
    return this.size - 1;
  }

  /** The text of a number that was given. */
  textOf(number: number): string {
    return this.textsOf(number, number + 1);
  }

  /** The texts of consecutive numbers, joined by separators. */
  textsOf(from: number, to: number): string {
    const [start, end] = [this.startOf(from), this.startOf(to) - 1];
    return Buffer.from(this.units.buffer, start * UNIT_BYTES, (end - start) * UNIT_BYTES).toString("utf16le");
  }

  /** Length of a text, in UTF-16 code units. */
  lengthOf(number: number): number {
    return this.startOf(number + 1) - 1 - this.startOf(number);
  }

  private startOf(number: number): number {
    return number === 0 ? 0 : (this.records[2 * number - 1] ?? 0) + 1;
  }

  private numberIn(slot: number): number {
    return (this.slots[slot] ?? 0) - 1;
  }

  /** The slot of the text, or a free one for it. */
  private slotOf(hash: number, source: string, start: number, end: number): number {
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.numberIn(slot);
      if (number < 0) return slot;
      if (this.records[2 * number] === hash && this.isText(number, source, start, end)) return slot;
    }
  }

  private isText(number: number, source: string, start: number, end: number): boolean {
    if (this.lengthOf(number) !== end - start) return false;
    const { units } = this;
    const from = this.startOf(number) - start;
    for (let index = start; index < end; index++) if (source.charCodeAt(index) !== units[from + index]) return false;
    return true;
  }

  private append(hash: number, source: string, start: number, end: number): void {
    const from = this.startOf(this.size);
    const to = from + end - start;
    if (to >= this.units.length) {
      const units = new Uint16Array(Math.max(UNITS_AT_FIRST, 2 * this.units.length, to + 1));
      units.set(this.units);
      this.units = units;
    }
    const { units } = this;
    for (let index = start; index < end; index++) units[from + index - start] = source.charCodeAt(index);
    units[to] = SEPARATOR_UNIT;
    this.records[2 * this.size] = hash;
    this.records[2 * this.size + 1] = to;
    this.size += 1;
  }

  private grow(): void {
    const length = Math.max(SLOTS_AT_FIRST, 2 * this.slots.length);
    const records = new Int32Array(length);
    records.set(this.records);
    this.records = records;
    const slots = new Int32Array(length);
    const mask = length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = (records[2 * number] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.slots = slots;
  }
}

/** Every bit depends on every character: the low ones choose the slot. */
function hashOf(source: string, start: number, end: number): number {
  let hash = SEED;
  for (let index = start; index < end; index++) {
    hash = Math.imul(hash ^ source.charCodeAt(index), FACTOR);
    hash ^= hash >>> 15;
  }
  return hash;
}
