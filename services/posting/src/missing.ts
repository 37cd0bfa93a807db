/** How programs write that a value is missing, apart from leaving the cell empty: R, pandas, databases and spreadsheets. */
const MISSING: ReadonlySet<string> = new Set(["NA", "NaN", "<NA>", "N/A", "#N/A", "NaT", "NULL", "null", "None"]);

/** Dashes of tables for people, and other spellings, which a text may be and a number may not. */
const NO_NUMBER = /^(?:[-–—−.?]+|n\/?a|nan|null|none|nil|undefined)$/i;

/** Whether a cell of text says that its value is missing. */
export function isMissing(text: string): boolean {
  return text.length <= 6 && MISSING.has(text.trim());
}

/** Whether a cell of a number or a list says that its value is missing. */
export function isMissingNumber(text: string): boolean {
  return text.length <= 12 && (isMissing(text) || NO_NUMBER.test(text.trim()));
}
