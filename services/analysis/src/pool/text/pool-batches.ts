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
  /** Whether to take the shortest texts, rather than the longest. */
  shortest?: boolean;
}

/** Enough texts to make the 50 µs of passing a job negligible, few enough to keep all threads busy to the end. */
const TEXTS_MAX = 32;
/** Long texts form smaller batches, so that no job occupies a thread for long. */
const CHARACTERS_MAX = 20_000;
export const SIZE_MAX: BatchSize = { texts: TEXTS_MAX, characters: CHARACTERS_MAX };

/**
 * Cuts batches of texts of similar length off a list, since a model pads the texts of a batch to the longest of them: the
 * longest texts first, because the slowest batch must not start last, unless the shortest are asked for.
 */
export class BatchCutter {
  private readonly order: readonly number[];
  /** Of the order, what has been cut off at either end. */
  private cut = 0;
  private left: number;

  constructor(private readonly texts: readonly string[]) {
    this.order = [...texts.keys()].sort((a, b) => this.lengthAt(b) - this.lengthAt(a));
    this.left = this.order.length;
  }

  get isDone(): boolean {
    return this.cut === this.left;
  }

  /** The next texts, at least one unless all have been cut off. */
  next({ texts, characters, shortest = false }: BatchSize): TextBatch {
    const rest = this.order.slice(this.cut, this.left);
    if (shortest) rest.reverse();
    let count = 0;
    let sum = 0;
    while (count < Math.min(rest.length, texts)) {
      sum += this.lengthAt(rest[count] ?? 0);
      if (sum > characters && count > 0) break;
      count += 1;
    }
    if (shortest) this.left -= count;
    else this.cut += count;
    const positions = rest.slice(0, count);
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
