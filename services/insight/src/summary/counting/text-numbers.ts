import { randomInt } from "node:crypto";
import { SEPARATOR } from "../../records/summary.js";

/** Random, so that nobody can choose texts that share a slot. */
const SEED = randomInt(2 ** 32) | 0;
const FACTOR = 0x01000193;
const SEPARATOR_UNIT = SEPARATOR.charCodeAt(0);

const UNIT_BYTES = Uint16Array.BYTES_PER_ELEMENT;
/** Most tables stay as small as this, and Node makes such arrays quickly. */
const SLOTS_AT_FIRST = 8;
const UNITS_AT_FIRST = 32;

/**
 * Numbers different texts in the order in which they come. Unlike a Map of strings it looks up a part of a text without
 * a string of its own, and keeps all texts beside each other: adding up long lists takes half of the time.
 */
export class TextNumbers {
  /** Number of different texts. */
  size = 0;
  /** In a slot near the hash of a text, its number plus one; 0 is free. At least half of the slots are. */
  private slots = new Int32Array(0);
  /** Of each text its hash, and where it ends in `units`. */
  private records = new Int32Array(0);
  /** The texts, each with a separator behind it. */
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
