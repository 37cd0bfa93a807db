/** Texts of similar length that are passed to a thread as one job. */
export interface TextBatch {
  /** Positions of the texts in the list; as many as `texts`. */
  positions: readonly number[];
  texts: readonly string[];
}

/** The most that a batch holds; a text with more characters forms a batch of its own. */
export interface BatchSize {
  texts: number;
  /** In UTF-16 code units. */
  characters: number;
}

/** Enough texts to make the 50 µs of passing a job negligible, few enough to keep all threads busy to the end. */
const TEXTS_MAX = 32;
/** Long texts form smaller batches, so that no job occupies a thread for long. */
const CHARACTERS_MAX = 20_000;
export const SIZE_MAX: BatchSize = { texts: TEXTS_MAX, characters: CHARACTERS_MAX };

/**
 * Cuts batches off a list of texts, the longest texts first: a model pads the texts of a batch to the longest of them,
 * and the slowest batch must not start last.
 */
export class BatchCutter {
  private readonly order: readonly number[];
  private cut = 0;

  constructor(private readonly texts: readonly string[]) {
    this.order = [...texts.keys()].sort((a, b) => this.lengthAt(b) - this.lengthAt(a));
  }

  get isDone(): boolean {
    return this.cut === this.order.length;
  }

  /** The next texts, at least one unless all have been cut off. */
  next(size: BatchSize): TextBatch {
    const begin = this.cut;
    let characters = 0;
    while (this.cut < this.order.length && this.cut - begin < size.texts) {
      characters += this.lengthAt(this.order[this.cut] ?? 0);
      if (characters > size.characters && this.cut > begin) break;
      this.cut += 1;
    }
    const positions = this.order.slice(begin, this.cut);
    return { positions, texts: positions.map((position) => this.texts[position] ?? "") };
  }

  private lengthAt(position: number): number {
    return this.texts[position]?.length ?? 0;
  }
}

/** Splits a whole list into batches, the longest texts first. */
export const splitBatches = (texts: readonly string[]): TextBatch[] => {
  const cutter = new BatchCutter(texts);
  const batches: TextBatch[] = [];
  while (!cutter.isDone) batches.push(cutter.next(SIZE_MAX));
  return batches;
};

/** Stores the values of a batch, one per text, at the positions of its texts. */
export const putBack = <T>(values: readonly T[], { positions }: TextBatch, into: T[]): void => {
  values.forEach((value, i) => {
    const position = positions[i];
    if (position !== undefined) into[position] = value;
  });
};
