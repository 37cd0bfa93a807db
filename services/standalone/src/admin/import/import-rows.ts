import type { ImportRow, PostingRow } from "@hourglass/posting";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { AppError, type FieldViolation } from "@hourglass/runtime";

/** The outcome of the postings of one batch. */
export interface BatchOutcome {
  accepted: number;
  duplicates: number;
  unmatched: number;
  erased: number;
}

/** The outcome of all rows. */
export interface ImportTotals extends BatchOutcome {
  rows: number;
  leftOut: number;
}

export interface ImportSteps {
  /** Stores postings together. Throws AppError `invalid` that names wrong ones by their index, and stores none then. */
  store: (postings: readonly Posting[]) => Promise<BatchOutcome>;
  /** Called for every row that is left out. */
  leftOut: (row: number, reason: string) => void;
  /** Called after every batch. */
  progress: (totals: ImportTotals) => void;
}

/** Maximum number of postings in a batch. */
const BATCH_MAX = 500;
/** Maximum number of characters in the texts of a batch, which limits its memory. */
const BATCH_CHARACTERS_MAX = 4_194_304;
/** Maximum number of rows that an error message names. */
const NAMED_MAX = 20;

/**
 * Imports rows in batches; holds one batch. Rows that are no postings are left out, counted and explained. Throws AppError
 * `invalid` that names the rows which the insight refuses, such as those of a platform that it does not search; what was
 * stored before stays.
 */
export async function importRows(rows: AsyncIterable<ImportRow>, steps: ImportSteps): Promise<ImportTotals> {
  const totals: ImportTotals = { rows: 0, accepted: 0, duplicates: 0, unmatched: 0, erased: 0, leftOut: 0 };
  let batch: PostingRow[] = [];
  let characters = 0;
  const flush = async () => {
    await storeBatch(batch, steps, totals);
    batch = [];
    characters = 0;
    steps.progress(totals);
  };
  for await (const row of rows) {
    totals.rows++;
    if ("violations" in row) leaveOut(row.row, row.violations, { steps, totals });
    else {
      batch.push(row);
      characters += row.posting.textOfPost?.length ?? 0;
    }
    if (batch.length === BATCH_MAX || characters > BATCH_CHARACTERS_MAX) await flush();
  }
  if (batch.length > 0) await flush();
  return totals;
}

async function storeBatch(batch: readonly PostingRow[], steps: ImportSteps, totals: ImportTotals): Promise<void> {
  try {
    add(totals, await steps.store(batch.map(({ posting }) => posting)));
  } catch (error) {
    throw refusal(error, batch);
  }
}

/** Names the rows of the postings that were refused. */
function refusal(error: unknown, batch: readonly PostingRow[]): unknown {
  if (!(error instanceof AppError) || error.violations.length === 0) return error;
  const named = error.violations.slice(0, NAMED_MAX).map(({ field, message }) => `${inRow(field, batch)}: ${message}`);
  const remedy = "These rows and those that follow were not all stored: correct the file, then repeat the import.";
  return new AppError("invalid", [...named, remedy].join(" "));
}

/** `postings[2].platform` is the platform of the third row of the batch. */
function inRow(field: string, batch: readonly PostingRow[]): string {
  const [, index, key = ""] = /^postings\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
  const row = index === undefined ? undefined : batch[Number(index)]?.row;
  if (row === undefined) return field;
  return key === "" ? `Row ${row}` : `Row ${row}, ${key}`;
}

function leaveOut(
  row: number,
  violations: readonly FieldViolation[],
  { steps, totals }: { steps: ImportSteps; totals: ImportTotals },
): void {
  totals.leftOut++;
  steps.leftOut(
    row,
    violations.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`)).join(" "),
  );
}

function add(totals: ImportTotals, outcome: BatchOutcome): void {
  totals.accepted += outcome.accepted;
  totals.duplicates += outcome.duplicates;
  totals.unmatched += outcome.unmatched;
  totals.erased += outcome.erased;
}
