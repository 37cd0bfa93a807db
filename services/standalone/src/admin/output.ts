/** Prints lines to stdout. */
export function print(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
}

/** Escapes a text as one field of a line: characters that are invisible or move the cursor become `\u{…}`. */
export function escapeField(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}\\]/gu, (character) => {
    return character === "\\" ? "\\\\" : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** Prints one line with the error and the remedy. */
export function complain(message: string): void {
  process.stderr.write(`${message.replace(/\s*\n\s*/g, " ")}\n`);
}

/** Prints one line about work that goes on to stderr. */
export function printProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}
