import { BUCKETS, DENSE_FEATURES, type Features } from "@hourglass/analysis/linear";

/**
 * Texts as rows of a sparse matrix whose columns are the sufficiently frequent n-grams, followed by the dense features.
 */
export interface Matrix {
  /** Bucket of each n-gram column, ascending; dense features follow as separate columns. */
  readonly buckets: Uint32Array;
  /** Number of texts that contain each column. */
  readonly occurrences: Uint32Array;
  /** Row `i` consists of `starts[i]` to `starts[i + 1]` of `columns` and `values`. */
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/** Number of columns of a matrix, n-grams and dense features. */
export const widthOf = ({ buckets }: Matrix): number => buckets.length + DENSE_FEATURES.length;

/** Builds the matrix of texts; n-grams in fewer than `occurrencesMin` texts are left out. */
export const buildMatrix = (texts: readonly Features[], occurrencesMin: number): Matrix => {
  const { buckets, columnOf } = chooseColumns(texts, occurrencesMin);
  const size = texts.reduce((sum, text) => sum + text.buckets.length, 0);
  const starts = new Uint32Array(texts.length + 1);
  const columns = new Uint32Array(size);
  const values = new Float32Array(size);
  const occurrences = new Uint32Array(buckets.length + DENSE_FEATURES.length);
  let at = 0;
  texts.forEach((text, row) => {
    text.buckets.forEach((bucket, i) => {
      const column = bucket >= BUCKETS ? buckets.length + bucket - BUCKETS : (columnOf[bucket] ?? 0) - 1;
      if (column < 0) return;
      columns[at] = column;
      values[at++] = text.values[i] ?? 0;
      occurrences[column] = (occurrences[column] ?? 0) + 1;
    });
    starts[row + 1] = at;
  });
  return { buckets, occurrences, starts, columns: columns.subarray(0, at), values: values.subarray(0, at) };
};

const chooseColumns = (texts: readonly Features[], occurrencesMin: number) => {
  const counts = new Uint32Array(BUCKETS);
  for (const text of texts) {
    for (const bucket of text.buckets) if (bucket < BUCKETS) counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  let width = 0;
  for (const count of counts) if (count >= occurrencesMin) width++;
  const buckets = new Uint32Array(width);
  let column = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    if ((counts[bucket] ?? 0) >= occurrencesMin) {
      buckets[column++] = bucket;
      counts[bucket] = column;
    } else {
      counts[bucket] = 0;
    }
  }
  return { buckets, columnOf: counts };
};
