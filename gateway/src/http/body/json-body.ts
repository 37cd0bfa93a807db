import { AppError, LoopPace, memoryOf, MESSAGE_VALUES_MAX, tooManyValues } from "@hourglass/runtime";
import { decodeUtf8, MalformedJson, NotUtf8, parseJson, parseLargeJson } from "@hourglass/runtime/json";
import type { Exchange } from "../exchange.js";
import { occupy } from "./request-body.js";

/** Bodies up to this size are parsed at once: whatever they contain, that takes milliseconds. */
const LIGHT_BYTES = 131_072;
const DEPTH_MAX = 100;

/**
 * Parses a JSON body; undefined if it is empty. The values of a large one are counted before anything is made of them, and
 * it is parsed in another thread. Fails with AppError (400, 413).
 */
export async function parseJsonBody(exchange: Exchange, body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined;
  try {
    if (body.length <= LIGHT_BYTES) return parseJson(decodeUtf8(body), SUBJECT);
    const values = await countValues(body);
    occupy(exchange, memoryOf(body.length, values));
    return await parseLargeJson(new Uint8Array(body), SUBJECT);
  } catch (error) {
    // The causes add nothing.
    if (error instanceof NotUtf8) throw notUtf8();
    if (error instanceof MalformedJson) throw new AppError("invalid", error.message, { code: "invalid_json" });
    throw error;
  }
}

const SUBJECT = "The body";

function notUtf8(): AppError {
  return new AppError("invalid", "The body is not valid UTF-8. Encode it in UTF-8.", { code: "invalid_utf8" });
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Takes a millisecond to count. */
const COUNTED_BYTES = 524_288;

/** Counts the values of large JSON, in parts between which the event loop serves others. */
async function countValues(json: Uint8Array): Promise<number> {
  const count = new JsonCount();
  const pace = new LoopPace();
  for (let start = 0; start < json.length; start += COUNTED_BYTES) {
    await pace.step();
    count.add(json.subarray(start, start + COUNTED_BYTES));
  }
  return count.values;
}

/**
 * Counts the values of JSON, part by part, without making anything of them: three bytes become an object of a hundred.
 * Fails with AppError for more values, or values nested deeper, than any request has.
 */
export class JsonCount {
  values = 0;
  private depth = 0;
  private isInText = false;
  /** The next byte belongs to an escape. */
  private isEscaped = false;

  add(part: Uint8Array): void {
    let { values, depth, isInText } = this;
    let at = this.isEscaped ? 1 : 0;
    for (; at < part.length; at++) {
      const byte = part[at];
      if (isInText) {
        if (byte === QUOTE) isInText = false;
        else if (byte === BACKSLASH) at++;
      } else if (byte === QUOTE) isInText = true;
      else if (byte === COMMA) values++;
      else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
        values++;
        depth++;
        if (depth > DEPTH_MAX) throw tooDeep();
      } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth--;
    }
    this.isEscaped = at > part.length;
    this.values = values;
    this.depth = depth;
    this.isInText = isInText;
    if (values > MESSAGE_VALUES_MAX) throw tooManyValues("body");
  }
}

function tooDeep(): AppError {
  const message = `The body is nested deeper than ${DEPTH_MAX} levels. Send it with fewer levels.`;
  return new AppError("invalid", message, { code: "invalid_json" });
}
