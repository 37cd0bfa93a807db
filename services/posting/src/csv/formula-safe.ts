/** White space, and characters that nobody sees, before which a formula still begins. */
const UNSEEN = "[\\s\\p{Cc}\\p{Cf}]*";
/** What formulas begin with, in all widths. */
const BEGIN = "[=+\\-@＝＋－＠﹦﹢﹣﹫−]";
/** Also without a formula: spreadsheets drop these. */
const LINE_ENDS = "[\\t\\r\\n]";

/** A cell that a spreadsheet could take for a formula, and what such a cell looks like once it has been made safe. */
const FORMULA = new RegExp(`^'*(?:${LINE_ENDS}|${UNSEEN}${BEGIN})`, "u");
const SAFE = new RegExp(`^'+(?:${LINE_ENDS}|${UNSEEN}${BEGIN})`, "u");

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
