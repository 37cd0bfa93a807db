import { counted } from "@hourglass/runtime";

/** Prints lines to stdout. */
export function print(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
}

/** Prints one line with the error and the remedy to stderr. */
export function complain(message: string): void {
  process.stderr.write(`${message.replace(/\s*\n\s*/g, " ")}\n`);
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
