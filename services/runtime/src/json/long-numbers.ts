/** Strings and numbers of JSON; a string that never ends extends to the end of the text, so that nothing is tried twice. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const LONG = /^-?[1-9]\d{15,}$/;
/** Where a long number may stand; long digits within a text rarely do. */
const PERHAPS_LONG = /(?:^|[:,[])\s*-?\d{16}/;

/**
 * Reads JSON whose whole numbers may have any number of digits, such as ids without quotes: those beyond 2^53, which a
 * number cannot hold, become strings, which keep every digit. Throws SyntaxError for what is no JSON.
 */
export function parseLongNumbers(text: string): unknown {
  return JSON.parse(PERHAPS_LONG.test(text) ? text.replaceAll(STRING_OR_NUMBER, withLongQuoted) : text) as unknown;
}

function withLongQuoted(part: string): string {
  return LONG.test(part) && !Number.isSafeInteger(Number(part)) ? `"${part}"` : part;
}
