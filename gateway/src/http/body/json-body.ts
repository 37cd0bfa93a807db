import { AppError, LoopPace, memoryOf, MESSAGE_VALUES_MAX, tooManyValues } from "@hourglass/runtime";
import { decodeUtf8, JsonShape, MalformedJson, NotUtf8, parseJson, parseLargeJson } from "@hourglass/runtime/json";
import type { Exchange } from "../exchange.js";
import { occupy, readBytes } from "./request-body.js";

/** Bodies up to this size are parsed at once: whatever they contain, that takes milliseconds. */
const LIGHT_BYTES = 131_072;
const DEPTH_MAX = 100;

/**
 * Reads a JSON body of at most `bytesMax`; undefined if it is empty. The values of a large one are counted as it arrives,
 * before anything is made of them, and it is parsed in another thread. Fails with AppError (400, 413, 408).
 */
export async function readJsonBody(exchange: Exchange, bytesMax: number): Promise<unknown> {
  const shape = new JsonShape();
  const body = await readBytes(exchange, bytesMax, (chunk, bytes) => {
    shape.add(chunk);
    if (bytes > LIGHT_BYTES) requireUsualShape(shape);
  });
  return parsed(exchange, body, shape);
}

/** Like `readJsonBody`, for a body that has arrived. A large one must have a buffer of its own, which it loses. */
export async function parseJsonBody(exchange: Exchange, body: Buffer<ArrayBuffer>): Promise<unknown> {
  const shape = new JsonShape();
  const pace = new LoopPace();
  for (let start = 0; body.length > LIGHT_BYTES && start < body.length; start += COUNTED_BYTES) {
    await pace.step();
    shape.add(body.subarray(start, start + COUNTED_BYTES));
    requireUsualShape(shape);
  }
  return parsed(exchange, body, shape);
}

/** Takes a millisecond or two to count. */
const COUNTED_BYTES = 524_288;

async function parsed(exchange: Exchange, body: Buffer<ArrayBuffer>, { values }: JsonShape): Promise<unknown> {
  if (body.length === 0) return undefined;
  try {
    if (body.length <= LIGHT_BYTES) return parseJson(decodeUtf8(body), SUBJECT);
    occupy(exchange, memoryOf(body.length, values));
    return await parseLargeJson(body, SUBJECT);
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

/** Fails with AppError for more values, or values nested deeper, than any request has. */
export function requireUsualShape({ values, depth }: JsonShape): void {
  if (depth > DEPTH_MAX) throw tooDeep();
  if (values > MESSAGE_VALUES_MAX) throw tooManyValues("body");
}

function tooDeep(): AppError {
  const message = `The body is nested deeper than ${DEPTH_MAX} levels. Send it with fewer levels.`;
  return new AppError("invalid", message, { code: "invalid_json" });
}
