import { parseLongNumbers, tooMuchJson } from "@hourglass/runtime/json";
import { ITEMS_MAX, JSON_LIMITS } from "./limits.js";
import { isMissingNumber } from "./missing.js";

/** A list between brackets: of JSON, Python, R, PostgreSQL and others. */
const BRACKETED = /^(?:\[.*\]|\(.*\)|\{.*\}|c\(.*\))$/s;
/** An item between quotation marks of either kind, with escapes, or anything up to the next comma. */
const ITEM = /\s*(?:'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)"|([^,]*))\s*(?:,|$)/gsy;
/** Between addresses, since these may hold each of the separators. */
const BEFORE_ADDRESS = /[\s,;|](?=[a-z][a-z0-9+.-]*:\/\/)/i;

/**
 * The items of a list that a file writes as one text: separated by line breaks, semicolons, bars or commas; as tags or
 * names with their signs (`#a #b`); or between brackets, as JSON, Python and databases write it. An array that is none of
 * texts is returned as it is.
 */
export function toList(text: string): unknown[] {
  const trimmed = text.trim();
  if (isMissingNumber(trimmed)) return [];
  if (BRACKETED.test(trimmed)) return jsonArray(trimmed) ?? bracketedItems(trimmed);
  return separated(trimmed);
}

function jsonArray(text: string): unknown[] | undefined {
  if (tooMuchJson(text, JSON_LIMITS) !== undefined) return undefined;
  try {
    const value = parseLongNumbers(text);
    if (!Array.isArray(value)) return [value];
    return value
      .filter((item) => item !== null)
      .map((item: unknown) => (typeof item === "number" ? String(item) : item));
  } catch {
    return undefined;
  }
}

function bracketedItems(text: string): string[] {
  const inner = text.slice(text.indexOf(text.startsWith("c(") ? "(" : text.charAt(0)) + 1, -1).trim();
  const items: string[] = [];
  if (inner === "") return items;
  for (const [whole, single, double, bare] of inner.matchAll(ITEM)) {
    // One more than a list may have is enough to refuse it.
    if (whole === "" || items.length > ITEMS_MAX) break;
    const quoted = single ?? double;
    if (quoted !== undefined) items.push(unescaped(quoted));
    else if (bare !== undefined) add(items, isMissingNumber(bare) ? "" : bare);
  }
  return items;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(u[0-9a-f]{4}|x[0-9a-f]{2}|.)/gis, (_, escape: string) => {
    if (escape.length > 1) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return escape === "n" ? "\n" : escape === "t" ? "\t" : escape;
  });
}

function separated(text: string): string[] {
  const items: string[] = [];
  for (const part of partsOf(text)) {
    add(items, part);
    if (items.length > ITEMS_MAX) break;
  }
  return items;
}

function partsOf(text: string): string[] {
  const limit = ITEMS_MAX + 2;
  if (BEFORE_ADDRESS.test(text) || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text.split(BEFORE_ADDRESS, limit);
  // A tag holds no second sign; a name may, as `@ada@example.org` does.
  if (/^[#＃]/.test(text)) return text.split(/[#＃]/, limit).slice(1);
  if (/^[@＠]/.test(text)) return text.split(/[\s,;|](?=[@＠])|[,;|\r\n]/, limit);
  const separator = ["\n", ";", "|"].find((character) => text.includes(character)) ?? ",";
  return text.split(separator, limit);
}

/** Adds an item without the separators around it. */
function add(items: string[], item: string): void {
  let [start, end] = [0, item.length];
  while (start < end && BETWEEN.test(item.charAt(start))) start++;
  while (end > start && BETWEEN.test(item.charAt(end - 1))) end--;
  if (start < end) items.push(item.slice(start, end));
}

const BETWEEN = /[\s,;|]/;

/** Whether an item stands in a list that is separated by commas as it is, without brackets around. */
export function isPlainItem(item: string, index: number): boolean {
  const isOne = item !== "" && item === item.trim() && !/[,;|\r\n]/.test(item);
  return isOne && !/^[[({#＃@＠]|^c\(|:\/\//.test(item) && !(index === 0 && isMissingNumber(item));
}
