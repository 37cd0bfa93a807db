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
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** A native search for the end of a string takes as long as looking at so many bytes. */
const NEAR_BYTES = 24;

/**
 * Counts what JSON in UTF-8 holds, part by part and without parsing it: `[{},{},…` costs a parser a hundred times the time
 * and memory of a text of the same length.
 */
export class JsonShape {
  /** Objects and arrays, and the members of each beyond the first. */
  values = 0;
  /** Names of members. */
  names = 0;
  /** The most objects and arrays within each other. */
  depth = 0;
  private level = 0;
  private isInString = false;
  /** The next byte belongs to an escape. */
  private isEscaped = false;

  add(part: Uint8Array): void {
    let { values, names, depth, level, isInString } = this;
    const { length } = part;
    let at = this.isEscaped ? 1 : 0;
    if (isInString) {
      at = endOfString(part, at);
      isInString = at >= length;
      if (!isInString) at++;
    }
    for (; at < length; at++) {
      const byte = part[at];
      if (byte === QUOTE) {
        at = endOfString(part, at + 1);
        isInString = at >= length;
        // The end of the loop adds one.
        if (isInString) at--;
      } else if (byte === COMMA) values++;
      else if (byte === COLON) names++;
      else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
        values++;
        if (++level > depth) depth = level;
      } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) level--;
    }
    this.isEscaped = at > length;
    this.values = values;
    this.names = names;
    this.depth = depth;
    this.level = level;
    this.isInString = isInString;
  }
}

/**
 * The index of the quotation mark that ends a string; the length of the part if it does not end there, and one more if the
 * last byte is a backslash that escapes the next one.
 */
function endOfString(part: Uint8Array, begin: number): number {
  const { length } = part;
  for (let at = begin; ;) {
    for (const near = Math.min(length, at + NEAR_BYTES); at < near; at++) {
      const byte = part[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at++;
    }
    if (at >= length) return at;
    const quote = part.indexOf(QUOTE, at);
    const end = quote === -1 ? length : quote;
    let first = end;
    while (first > at && part[first - 1] === BACKSLASH) first--;
    const isEscaped = (end - first) % 2 === 1;
    if (quote === -1) return isEscaped ? length + 1 : length;
    if (!isEscaped) return quote;
    at = quote + 1;
  }
}

/** What to do about JSON that has more parts or levels than allowed; undefined if it has not. It is not parsed. */
export function tooMuchJson(json: Uint8Array | string, { parts, depth }: ShapeLimits): string | undefined {
  const shape = new JsonShape();
  shape.add(typeof json === "string" ? Buffer.from(json) : json);
  if (shape.depth > depth) return `Give JSON with at most ${counted(depth, "level")} of objects and arrays.`;
  if (shape.values + shape.names > parts) return `Give JSON with at most ${counted(parts, "value")}.`;
  return undefined;
}
