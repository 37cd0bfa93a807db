import { counted } from "@hourglass/runtime";

/** Prints lines to stdout. */
export function print(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
}

/** Prints the error and the remedy to stderr: in one line, unless it was prepared as several. */
export function complain(message: string, { isPrepared = false } = {}): void {
  process.stderr.write(`${isPrepared ? message : message.replace(/\s*\n\s*/g, " ")}\n`);
}

/** Prints one line about work in progress to stderr. */
export function printProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Escapes a text as one field of a line: characters that are invisible or move the cursor become `\u{…}`. */
export function escapeField(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}\\]/gu, (character) => {
    return character === "\\" ? "\\\\" : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** A value of a row, as --json prints it. */
type Value = string | number | boolean | null | readonly string[] | Readonly<Record<string, number>>;

/** One field of a row: its name and value in JSON, and its text in a line if that is another one. */
export type Field = readonly [name: string, value: Value, text?: string];

/** One thing that a reading command has found. */
export type Row = readonly Field[];

/** A row as a line for people and shells: its fields, separated by tabs; empty ones at its end are left out. */
export function lineOf(row: Row): string {
  return row
    .map(([, value, text]) => escapeField(text ?? textOf(value)))
    .join("\t")
    .replace(/\t+$/, "");
}

/** Rows as JSON, an object each. */
export function jsonOf(rows: readonly Row[]): string {
  return JSON.stringify(rows.map((row) => Object.fromEntries(row.map(([name, value]) => [name, value]))));
}

function textOf(value: Value): string {
  if (value === null) return "";
  return typeof value === "object" ? Object.values(value).join(",") : String(value);
}

const EVERY_MS = 5000;

/** Reports long work line by line: each step when it begins, and its progress every few seconds. */
export class Progress {
  private step = "";
  private done = 0;
  private shownAt = 0;

  constructor(private readonly show: (line: string) => void) {}

  begin(step: string): void {
    this.step = step;
    this.done = 0;
    this.shownAt = performance.now();
    this.show(step);
  }

  /** Reports how much of the step was done. */
  end(unit: string): void {
    this.show(`${this.step}: ${counted(this.done, unit)}`);
  }

  /** Counts work of the step as done; `unit` is singular. */
  add(count: number, unit: string): void {
    this.done += count;
    if (performance.now() - this.shownAt < EVERY_MS) return;
    this.shownAt = performance.now();
    this.show(`${this.step}: ${counted(this.done, unit)}`);
  }
}
