import { visit } from "jsonc-parser";
import { counted } from "../errors/sentences.js";

/** Position where a text stops being JSON; both counted from 1. */
interface Place {
  line: number;
  column: number;
}

/** Longer texts are not parsed again only to locate the error. In UTF-16 code units. */
const SEARCHED_MAX = 4 * 1024 * 1024;

/** A text that is not JSON; `message` is a complete sentence that gives the position. */
export class MalformedJson extends Error {}

/** Bytes that are not UTF-8. */
export class NotUtf8 extends Error {}

/** Decodes UTF-8. Throws NotUtf8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new NotUtf8("not UTF-8", { cause: error });
  }
}

interface ParseOptions {
  /** Throws for what is no JSON. */
  readonly parse?: (text: string) => unknown;
  /** In longer texts, the place of the mistake is not searched. */
  readonly searchedMax?: number;
}

/** Parses JSON. Throws MalformedJson, whose message begins with `subject`, for example "The body". */
export function parseJson(
  text: string,
  subject: string,
  { parse = JSON.parse, searchedMax = SEARCHED_MAX }: ParseOptions = {},
): unknown {
  try {
    return parse(text);
  } catch {
    // The engine's message quotes the text and gives the position only for some errors.
    const place = text.length <= searchedMax ? firstMistake(text) : undefined;
    const remedy = place === undefined ? "" : `: correct it at line ${place.line}, column ${place.column}`;
    throw new MalformedJson(`${subject} is not valid JSON${remedy}.`);
  }
}

/** Ends the search at the first error, since later ones mostly follow from it. */
class Found extends Error {
  constructor(readonly place: Place) {
    super("found");
  }
}

function firstMistake(text: string): Place | undefined {
  try {
    visit(
      text,
      {
        onError: (...[, , , line, character]) => {
          throw new Found({ line: line + 1, column: character + 1 });
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    // For a text that is nested too deeply, the position is unknown.
    return error instanceof Found ? error.place : undefined;
  }
  return undefined;
}

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
