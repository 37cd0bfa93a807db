import { POSTING_FIELDS } from "../fields.js";
import type { PostingJsonValue } from "../to-json.js";
import { toFormulaSafe } from "./formula-safe.js";

/** Keys of the lists that imports read. */
const IMPORTED_LISTS = new Set(
  POSTING_FIELDS.filter(({ imported, value }) => imported && value === "texts").map(({ key }) => key),
);

const COUNTS = new Set(POSTING_FIELDS.filter(({ value }) => value === "count").map(({ key }) => key));

/**
 * The cell of a value in our own CSV: empty for null, lists joined by `, `, safe to open in a spreadsheet. A count stays a
 * number below zero as well, so that spreadsheets add it up.
 */
export function toCsvCell(key: string, value: PostingJsonValue): string {
  if (value === null) return "";
  if (typeof value === "string" && COUNTS.has(key) && /^-?\d+$/.test(value)) return value;
  if (typeof value === "string") return toFormulaSafe(value);
  return toFormulaSafe(isList(value) ? toListCell(key, value) : JSON.stringify(value));
}

function isList(value: Exclude<PostingJsonValue, string | null>): value is readonly string[] {
  return Array.isArray(value);
}

/** An item that an import would split or trim makes the cell a JSON array, which imports read as well. */
function toListCell(key: string, items: readonly string[]): string {
  const isPlain = !IMPORTED_LISTS.has(key) || items.every(isPlainItem);
  return isPlain ? items.join(", ") : JSON.stringify(items);
}

function isPlainItem(item: string, index: number): boolean {
  return item !== "" && item === item.trim() && !item.includes(",") && !(index === 0 && item.startsWith("["));
}
