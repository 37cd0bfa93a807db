import { bucketOf, seed, step } from "../ngrams/buckets.js";
import { APOSTROPHE, classOf, LETTER } from "./letters.js";

/** Increment whenever the same text may give other n-grams: a model works only with the reader it was trained with. */
export const LANGUAGE_FEATURIZER = 1;

const NGRAM_MAX = 5;
const CHARACTERS = seed(11);
const WORD = seed(12);
/** Shorter words are completely covered by the character n-grams; longer ones are texts without spaces. */
const WHOLE_WORD_MIN = 4;
const WHOLE_WORD_MAX = 20;
/** Longer runs of letters are split here. */
const WORD_MAX = 50;
const BUCKETS_PER_WORD_MAX = (WORD_MAX + 2) * NGRAM_MAX + 1;

const BORDER = 0x20;
const PLAIN_APOSTROPHE = 0x27;

/**
 * Reads a text into hashed n-grams: every run of 1 to 5 letters of a word with its borders, and the word as a whole. A
 * reader is reused for many texts; its contents belong to the text read last.
 */
export class NgramReader {
  /** The first `size` entries belong to the text. */
  buckets = new Uint32Array(8192);
  size = 0;
  /** Letters of the text, without repetitions beyond two. */
  letters = 0;
  /** Index of each word's first bucket. */
  readonly wordStarts: number[] = [];
  /** The current word, from index 1; its borders are at 0 and after its last letter. */
  readonly #units = new Uint16Array(WORD_MAX + 2);
  #length = 0;

  /** Reads a text prepared by `clean`. */
  read(text: string): void {
    this.size = 0;
    this.letters = 0;
    this.wordStarts.length = 0;
    this.#length = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      const kind = classOf[unit];
      if (kind === LETTER) this.#take(unit);
      else if (this.#length > 0 && kind === APOSTROPHE) this.#takeApostrophe();
      else if (this.#length > 0) this.#endWord();
    }
    this.#endWord();
  }

  #take(unit: number): void {
    const units = this.#units;
    if (this.#length === WORD_MAX) this.#endWord();
    const length = this.#length;
    if (length > 1 && unit === units[length] && unit === units[length - 1]) return;
    units[++this.#length] = unit;
  }

  #takeApostrophe(): void {
    if (this.#length < WORD_MAX && this.#units[this.#length] !== PLAIN_APOSTROPHE) {
      this.#units[++this.#length] = PLAIN_APOSTROPHE;
    }
  }

  #endWord(): void {
    let length = this.#length;
    while (length > 0 && this.#units[length] === PLAIN_APOSTROPHE) length--;
    this.#length = 0;
    if (length === 0) return;
    if (this.size + BUCKETS_PER_WORD_MAX > this.buckets.length) this.#grow();
    this.letters += length;
    this.wordStarts.push(this.size);
    this.#addCharacters(length);
    if (length >= WHOLE_WORD_MIN && length <= WHOLE_WORD_MAX) this.#addWord(length);
  }

  #addCharacters(length: number): void {
    const units = this.#units;
    units[0] = BORDER;
    units[length + 1] = BORDER;
    let size = this.size;
    for (let start = 0; start <= length; start++) {
      let hash = CHARACTERS;
      const end = Math.min(start + NGRAM_MAX, length + 2);
      for (let i = start; i < end; i++) {
        hash = step(hash, units[i] ?? 0);
        if (i > 0) this.buckets[size++] = bucketOf(hash);
      }
    }
    this.size = size;
  }

  #addWord(length: number): void {
    let hash = WORD;
    for (let i = 1; i <= length; i++) hash = step(hash, this.#units[i] ?? 0);
    this.buckets[this.size++] = bucketOf(hash);
  }

  #grow(): void {
    const larger = new Uint32Array(this.buckets.length * 2);
    larger.set(this.buckets);
    this.buckets = larger;
  }
}
