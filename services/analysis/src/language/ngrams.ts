import { bucketOf, seed, step } from "../text/ngrams/hash.js";
import { APOSTROPHE, classOf, LETTER, OTHER } from "./letters.js";

/** Changes whenever the same text may give other n-grams: a model works only with the featurizer it was trained on. */
export const FEATURIZER = 1;

const LENGTH_MAX = 5;
const WORD_MIN = 4;
const WORD_MAX = 20;
const CHARACTERS = seed(11);
const WORD = seed(12);
const PAIR = seed(13);
const BORDER = 0x20;
const PLAIN_APOSTROPHE = 0x27;

/** The n-grams of a text: buckets, and where each word begins among them. */
export class NgramSink {
  buckets = new Uint32Array(4096);
  size = 0;
  readonly wordStarts: number[] = [];
  letters = 0;
}

export const OPT = { pairs: false, max: 5 };
const units = new Uint16Array(64);

export const collect = (text: string, sink: NgramSink): void => {
  let previous = 0;
  sink.size = 0; sink.letters = 0; sink.wordStarts.length = 0;
  let length = 0; 
  const flush = () => {
    while (length > 0 && units[length] === PLAIN_APOSTROPHE) length--;
    if (length === 0) return;
    sink.letters += length;
    sink.wordStarts.push(sink.size);
    if (sink.size + 64 * 6 > sink.buckets.length) { const b = new Uint32Array(sink.buckets.length * 2); b.set(sink.buckets); sink.buckets = b; }
    previous = addWord(length, sink, previous);
    length = 0;
  };
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const kind = classOf[unit]!;
    if (kind === LETTER) {
      if (length > 1 && unit === units[length] && unit === units[length - 1]) continue;
      units[++length] = unit;
      if (length > 50) flush();
    } else if (kind === APOSTROPHE && length > 0) { if (units[length] !== PLAIN_APOSTROPHE) units[++length] = PLAIN_APOSTROPHE; }
    else if (length > 0) flush();
  }
  flush();
};

const addWord = (length: number, sink: NgramSink, previous: number): number => {
  units[0] = BORDER; units[length + 1] = BORDER;
  const out = sink.buckets; let n = sink.size;
  const last = length + 2;
  let whole = WORD;
  for (let start = 0; start < last; start++) {
    let hash = CHARACTERS;
    const end = Math.min(start + OPT.max, last);
    for (let i = start; i < end; i++) {
      hash = step(hash, units[i]!);
      if (i > start || (start > 0 && start <= length)) out[n++] = bucketOf(hash);
    }
    if (start > 0 && start <= length) whole = step(whole, units[start]!);
  }
  if (length >= WORD_MIN && length <= WORD_MAX) out[n++] = bucketOf(whole);
  if (OPT.pairs && previous !== 0 && length <= WORD_MAX) out[n++] = bucketOf(Math.imul(previous ^ PAIR, 0x01000193) ^ whole);
  sink.size = n;
  return length <= WORD_MAX ? whole : 0;
};
