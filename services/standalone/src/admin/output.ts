/** Prints lines for people and pipes. */
export function print(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
}

/** Says in one line what went wrong and what to do. */
export function complain(message: string): void {
  process.stderr.write(`${message.replace(/\s*\n\s*/g, " ")}\n`);
}
