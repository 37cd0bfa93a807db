/** Texts up to this length are read as one piece, like the posts of the training data. */
const WHOLE_MAX = 600;
/** Longer texts are read in pieces of about this length, split at the end of a sentence if possible. */
const CHUNK_MAX = 300;
const SENTENCE_END = /[.!?\n][\s"')\]]/g;

/** A piece of a text and its offset in UTF-16 units. */
export interface Chunk {
  readonly text: string;
  readonly start: number;
}

/**
 * Splits a long text into pieces of the length of a post. A bag of 4,000 words resembles no post of the training data,
 * and its many weak signals would add up to certainty; the average over pieces stays on the scale of the calibration.
 */
export const chunks = (text: string): Chunk[] => {
  if (text.length <= WHOLE_MAX) return [{ text, start: 0 }];
  const pieces: Chunk[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.length - start <= CHUNK_MAX ? text.length : cutAfter(text, start);
    const piece = text.slice(start, end);
    if (piece.trim() !== "") pieces.push({ text: piece, start });
    start = end;
  }
  return pieces.length > 0 ? pieces : [{ text: "", start: 0 }];
};

const cutAfter = (text: string, start: number): number => {
  const window = text.slice(start, start + CHUNK_MAX);
  let cut = 0;
  for (const match of window.matchAll(SENTENCE_END)) cut = match.index + 1;
  if (cut < CHUNK_MAX / 3) cut = window.lastIndexOf(" ");
  if (cut >= CHUNK_MAX / 3) return start + cut;
  const end = start + CHUNK_MAX;
  // Never splits a surrogate pair.
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1)) ? end - 1 : end;
};
