import type { Json } from "@hourglass/runtime";
import { parseLongNumbers, tooMuchJson } from "@hourglass/runtime/json";
import { OWN_NOTES } from "../../store/records.js";

type JsonObject = Record<string, Json>;

/** Half a surrogate pair can stand in JSON only as an escape. */
const SURROGATE_ESCAPE = /\\ud[89a-f]/i;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const REPLACEMENT = "\uFFFD";
const OWN: ReadonlySet<string> = new Set(OWN_NOTES);

/** More levels than this, stores and writers of JSON cannot hold; the length bounds the values. */
const LIMITS = { parts: Infinity, depth: 64 };

/**
 * The `more_info` of an imported posting: without the product's own notes, of whole characters, and with all digits of its
 * whole numbers. Undefined if the text is no JSON object of a few levels.
 */
export function parseMoreInfo(text: string): JsonObject | undefined {
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const whole = SURROGATE_ESCAPE.test(text) ? wholeObject(value) : value;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !OWN.has(name)));
}

function parse(text: string): Json | undefined {
  if (tooMuchJson(text, LIMITS) !== undefined) return undefined;
  try {
    return parseLongNumbers(text) as Json;
  } catch {
    // The caller names the field; the engine's message would quote its content.
    return undefined;
  }
}

function wholeObject(value: JsonObject): JsonObject {
  const entries = Object.entries(value).map(([name, entry]) => [wholeText(name), whole(entry)] as const);
  return Object.fromEntries(entries);
}

function whole(value: Json): Json {
  if (typeof value === "string") return wholeText(value);
  if (Array.isArray(value)) return value.map(whole);
  return typeof value === "object" && value !== null ? wholeObject(value) : value;
}

/** Half a surrogate pair becomes the replacement character. */
function wholeText(text: string): string {
  return text.replace(LONE_SURROGATE, REPLACEMENT);
}
