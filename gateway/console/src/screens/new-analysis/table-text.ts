/** A table that was pasted or read as text. */
export interface TextTable {
  readonly separator: string;
  readonly rows: readonly (readonly string[])[];
  readonly columnCount: number;
}

const SEPARATORS = ["\t", ";", ","] as const;
/** Rows that show how the table is separated. */
const LOOKED_AT = 20;
/** Characters that surely hold so many rows. */
const LOOKED_AT_LENGTH = 200_000;

/** The table that a text is, if its first rows have equally many cells, two at least. A line `sep=;` says it itself. */
export function readTable(text: string): TextTable | undefined {
  const [, told] = /^\uFEFF?sep=(.)\r?\n/i.exec(text) ?? [];
  const body = told === undefined ? text.replace(/^\uFEFF/, "") : text.slice(text.indexOf("\n") + 1);
  const separator = told ?? separatorOf(body);
  if (separator === undefined) return undefined;
  const rows = readRows(body, separator).filter((row) => row.length > 1 || row[0] !== "");
  const columnCount = Math.max(0, ...rows.slice(0, LOOKED_AT).map((row) => row.length));
  return { separator, rows, columnCount };
}

function separatorOf(text: string): string | undefined {
  const start = text.slice(0, LOOKED_AT_LENGTH);
  return SEPARATORS.find((separator) => {
    const rows = readRows(start, separator, LOOKED_AT).filter((row) => row.length > 1 || row[0] !== "");
    const [first] = rows;
    return (
      first !== undefined && rows.length > 1 && first.length > 1 && rows.every((row) => row.length === first.length)
    );
  });
}

/** The cells of a text in CSV (RFC 4180), at most so many rows. A quote that nothing closes is taken as it is. */
export function readRows(text: string, separator: string, most = Infinity): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length && rows.length < most) {
    const { value, end } = readCell(text, at, separator);
    row.push(value);
    at = end;
    if (text[at] === separator) {
      at++;
      // A row may end with an empty cell.
      if (at < text.length) continue;
      row.push("");
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at++;
    at++;
    rows.push(row);
    row = [];
  }
  return rows;
}

function readCell(text: string, start: number, separator: string): { readonly value: string; readonly end: number } {
  if (text[start] === '"') {
    const close = closingQuote(text, start + 1);
    if (close !== undefined)
      return { value: text.slice(start + 1, close).replaceAll('""', '"'), end: endOfCell(text, close + 1, separator) };
  }
  const end = endOfCell(text, start, separator);
  return { value: text.slice(start, end), end };
}

function closingQuote(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return undefined;
}

function endOfCell(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at++;
  return at;
}

/** The column that most likely holds texts: the one with the most characters in the first rows. */
export function longestColumn({ rows, columnCount }: TextTable): number {
  const lengths = Array.from({ length: columnCount }, (_, column) =>
    rows.slice(1, LOOKED_AT).reduce((sum, row) => sum + (row[column]?.length ?? 0), 0),
  );
  return lengths.indexOf(Math.max(...lengths));
}
