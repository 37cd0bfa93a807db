/** A cell that a spreadsheet could take for a formula, and what such a cell looks like once it has been made safe. */
const FORMULA = /^'*[=+\-@\t\r]/;
const SAFE = /^'+[=+\-@\t\r]/;

/**
 * Puts an apostrophe before a cell that a spreadsheet could take for a formula. A cell that looks as if it had been made
 * safe gets another one, so that `fromFormulaSafe` returns every cell as it was.
 */
export function toFormulaSafe(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** Undoes `toFormulaSafe`. */
export function fromFormulaSafe(cell: string): string {
  return SAFE.test(cell) ? cell.slice(1) : cell;
}
