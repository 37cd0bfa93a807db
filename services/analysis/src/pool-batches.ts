/** A run of neighbouring texts that goes to a thread as one job. */
export interface TextBatch {
  /** Index of the first text. */
  start: number;
  texts: readonly string[];
}

/** Enough texts to make the 50 µs of handing over a job vanish, few enough to keep all threads busy to the end. */
const TEXTS_MAX = 32;
/** Long texts go in smaller batches, so that a thread never disappears for long. */
const CHARACTERS_MAX = 64_000;

/** Cuts a list into batches, in order; a text longer than the limit travels alone. */
export const splitBatches = (texts: readonly string[]): TextBatch[] => {
  const batches: TextBatch[] = [];
  let start = 0;
  let characters = 0;
  texts.forEach((text, i) => {
    if (i > start && (i - start >= TEXTS_MAX || characters + text.length > CHARACTERS_MAX)) {
      batches.push({ start, texts: texts.slice(start, i) });
      start = i;
      characters = 0;
    }
    characters += text.length;
  });
  if (start < texts.length) batches.push({ start, texts: texts.slice(start) });
  return batches;
};
