import { clean, NgramReader } from "@hourglass/analysis/language";
import type { LanguageSample } from "./samples.js";

/** A text as the columns of its sufficiently frequent n-grams, with the index of each word's first column. */
export interface Line {
  readonly columns: Uint32Array;
  readonly wordStarts: Uint32Array;
  /** Index of its label. */
  readonly label: number;
}

export interface LanguageMatrix {
  /** Bucket of each column, ascending. */
  readonly buckets: Uint32Array;
  readonly lines: readonly Line[];
}

const BUCKETS = 2 ** 24;

/** Reads samples into a matrix; n-grams in fewer than `occurrencesMin` texts are left out. */
export const buildLanguageMatrix = (
  samples: readonly LanguageSample[],
  labels: readonly string[],
  occurrencesMin: number,
): LanguageMatrix => {
  const reader = new NgramReader();
  const raw = samples.map(({ text, label }): Line => {
    reader.read(clean(text));
    return {
      columns: reader.buckets.slice(0, reader.size),
      wordStarts: Uint32Array.from(reader.wordStarts),
      label: labels.indexOf(label),
    };
  });
  const { buckets, columnOf } = chooseColumns(raw, occurrencesMin);
  return { buckets, lines: raw.map((line) => renumber(line, columnOf)) };
};

/** `columnOf` contains the column of a bucket plus one, 0 if there is none. */
const chooseColumns = (lines: readonly Line[], occurrencesMin: number) => {
  const counts = new Uint32Array(BUCKETS);
  for (const { columns } of lines) for (const bucket of new Set(columns)) counts[bucket] = (counts[bucket] ?? 0) + 1;
  const chosen: number[] = [];
  counts.forEach((count, bucket) => {
    if (count >= occurrencesMin) chosen.push(bucket);
    counts[bucket] = count >= occurrencesMin ? chosen.length : 0;
  });
  return { buckets: Uint32Array.from(chosen), columnOf: counts };
};

const renumber = ({ columns, wordStarts, label }: Line, columnOf: Uint32Array): Line => {
  const kept: number[] = [];
  const starts: number[] = [];
  columns.forEach((bucket, i) => {
    if (wordStarts[starts.length] === i) starts.push(kept.length);
    const column = (columnOf[bucket] ?? 0) - 1;
    if (column >= 0) kept.push(column);
  });
  return { columns: Uint32Array.from(kept), wordStarts: Uint32Array.from(starts), label };
};
