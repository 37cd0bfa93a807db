/** Texts of similar length that are passed to a thread as one job. */
export interface TextBatch {
  /** Positions of the texts in the list; as many as `texts`. */
  positions: readonly number[];
  texts: readonly string[];
}

/** Enough texts to make the 50 µs of passing a job negligible, few enough to keep all threads busy to the end. */
const TEXTS_MAX = 32;
/** Long texts form smaller batches, so that no job occupies a thread for long. */
const CHARACTERS_MAX = 20_000;

/**
 * Splits a list into batches, the longest texts first: a model pads the texts of a batch to the longest of them, and
 * the slowest batch must not start last. A text longer than the limit forms a batch of its own.
 */
export const splitBatches = (texts: readonly string[]): TextBatch[] => {
  const lengthAt = (position: number): number => texts[position]?.length ?? 0;
  const batches: number[][] = [];
  let characters = 0;
  for (const position of [...texts.keys()].sort((a, b) => lengthAt(b) - lengthAt(a))) {
    const last = batches.at(-1);
    characters += lengthAt(position);
    if (last !== undefined && last.length < TEXTS_MAX && characters <= CHARACTERS_MAX) {
      last.push(position);
    } else {
      batches.push([position]);
      characters = lengthAt(position);
    }
  }
  return batches.map((positions) => ({ positions, texts: positions.map((position) => texts[position] ?? "") }));
};

/** Stores the values of a batch, one per text, at the positions of its texts. */
export const putBack = <T>(values: readonly T[], { positions }: TextBatch, into: T[]): void => {
  values.forEach((value, i) => {
    const position = positions[i];
    if (position !== undefined) into[position] = value;
  });
};
