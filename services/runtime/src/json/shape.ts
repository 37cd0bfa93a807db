import { counted } from "../errors/sentences.js";

/** Bounds of a JSON text that are known before it is parsed. */
export interface ShapeLimits {
  /** Values and names together; a parser makes an object of each. */
  readonly parts: number;
  /** Objects and arrays within each other; writing JSON again fails beyond some thousands. */
  readonly depth: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * What to do about a JSON text that has more parts or levels than allowed; undefined if it has not. It is counted in one
 * pass without parsing, since `[{},{},…` costs a parser a hundred times the time and memory of a text of the same length.
 */
export function tooMuchJson(text: string, { parts, depth }: ShapeLimits): string | undefined {
  let [begun, level] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
    } else if (unit === COMMA || unit === COLON) {
      begun++;
    } else if (unit === 0x5b || unit === 0x7b) {
      begun++;
      if (++level > depth) return `Give JSON with at most ${counted(depth, "level")} of objects and arrays.`;
    } else if (unit === 0x5d || unit === 0x7d) {
      level--;
    }
    if (begun > parts) return `Give JSON with at most ${counted(parts, "value")}.`;
  }
  return undefined;
}

/** The index of the quotation mark that ends the string that begins there; that of the end if there is none. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}
