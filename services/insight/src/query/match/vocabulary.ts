import type { CodeUnits } from "../words/code-units.js";

const FIRST_UNITS = 256;
const LENGTHS = 64;

/** The words of a query, numbered from 0. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  /** Which pairs of first character and length occur: most words of a text are dismissed without being cut out of it. */
  readonly #shapes = new Uint8Array(FIRST_UNITS * LENGTHS);

  get size(): number {
    return this.#numbers.size;
  }

  /** The number of a word, which is added if it is new. */
  add(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    this.#shapes[shapeOf(word.charCodeAt(0), word.length)] = 1;
    this.#numbers.set(word, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /** The number of the word from `start` to `end`, or -1. */
  find(text: CodeUnits, start: number, end: number): number {
    if (this.#shapes[shapeOf(text.charCodeAt(start), end - start)] === 0) return -1;
    return this.#numbers.get(text.slice(start, end)) ?? -1;
  }
}

function shapeOf(firstUnit: number, length: number): number {
  return (firstUnit % FIRST_UNITS) * LENGTHS + (length % LENGTHS);
}
