import type { Document as BsonDocument } from "mongodb";
import type { Document } from "../store.js";

/**
 * JSON is stored as BSON unchanged, readable in any tool, except for what BSON cannot represent or treats specially. A
 * lone surrogate is not valid UTF-8; a field name ends at a NUL, and `$`, `.` and `_bsontype` are special in it. Such a
 * character is written as this noncharacter of Unicode and four hexadecimal digits, and so is the noncharacter itself.
 */
const ESCAPE = "\uFDD0";
const IN_TEXT = /\uFDD0|\p{Surrogate}/gu;
const IN_NAME = /^(?:\$|_(?=_proto__$|bsontype$|id$))|[\0.\uFDD0]|\p{Surrogate}/gu;
const ESCAPED = /\uFDD0([0-9a-f]{4})/g;

/**
 * A field that is not part of the document. Each commit that checks a document sets it to a new value, because the
 * server ignores a write that changes nothing and would not detect a conflict with other writes.
 */
export const FENCE = `${ESCAPE}fence`;

/** A document as stored: `id` becomes `_id`, the first field. */
export function toStored(document: Document): BsonDocument {
  const { id, ...fields } = document as Document & Record<string, unknown>;
  return { _id: toStoredValue(id), ...(toStoredValue(fields) as Record<string, unknown>) };
}

/** The document of a stored one. */
export function fromStored(stored: BsonDocument): Document {
  const { _id, [FENCE]: _fence, ...fields } = stored;
  return { id: fromStoredValue(_id), ...(fromStoredValue(fields) as object) } as Document;
}

/** A JSON value as stored; values that JSON omits or writes as null or 0 are treated the same way here. */
export function toStoredValue(value: unknown): unknown {
  if (typeof value === "string") return value.replace(IN_TEXT, escape);
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  if (Array.isArray(value)) return value.map((entry) => (entry === undefined ? null : toStoredValue(entry)));
  if (typeof value !== "object" || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(value)) {
    if (entry !== undefined) result[name.replace(IN_NAME, escape)] = toStoredValue(entry);
  }
  return result;
}

function fromStoredValue(value: unknown): unknown {
  if (typeof value === "string") return unescape(value);
  if (Array.isArray(value)) return value.map(fromStoredValue);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, entry]) => [unescape(name), fromStoredValue(entry)] as const);
  return Object.fromEntries(entries); // which treats `__proto__` like any other name
}

function escape(character: string): string {
  return ESCAPE + character.charCodeAt(0).toString(16).padStart(4, "0");
}

function unescape(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(ESCAPED, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}
