/** Strings and numbers of JSON; a string that never ends goes on to the end of the text, so that nothing is tried twice. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const LONG = /^-?[1-9]\d{15,}$/;

/**
 * Reads JSON whose whole numbers may have 64 bits, such as ids without quotes: those of 16 digits and more become strings,
 * which keep every digit. Throws SyntaxError for what is no JSON.
 */
export function parseLongNumbers(text: string): unknown {
  const isPlain = !/\d{16}/.test(text);
  return JSON.parse(isPlain ? text : text.replaceAll(STRING_OR_NUMBER, withLongQuoted)) as unknown;
}

function withLongQuoted(part: string): string {
  return LONG.test(part) ? `"${part}"` : part;
}
