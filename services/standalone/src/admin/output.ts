/** Prints lines for people and pipes. */
export function print(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
}

/** A text as one field of a line: what is not to be seen, or would move the cursor, stands as `\u{…}`. */
export function escapeField(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}\\]/gu, (character) => {
    return character === "\\" ? "\\\\" : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** Says in one line what went wrong and what to do. */
export function complain(message: string): void {
  process.stderr.write(`${message.replace(/\s*\n\s*/g, " ")}\n`);
}
