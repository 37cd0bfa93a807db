import type { CodeUnits } from "./code-units.js";

const BEGINNINGS = ["http://", "https://", "www."];
/** Addresses in texts without spaces end where East Asian text goes on. */
const EAST_ASIAN = 0x2e80;
const ENDS = new Set(Array.from(`"<>|\\^\`{}[]`, (char) => char.charCodeAt(0)));
const OPEN = "(".charCodeAt(0);
const CLOSE = ")".charCodeAt(0);

/** Whether a web address begins here; `start` must be the start of a word. */
export function startsWebAddress(text: CodeUnits, start: number): boolean {
  return BEGINNINGS.some((beginning) => startsWith(text, start, beginning));
}

/** Where the web address that begins at `start` ends. */
export function webAddressEnd(text: CodeUnits, start: number): number {
  let open = 0;
  for (let index = start; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit <= 0x20 || unit >= EAST_ASIAN || ENDS.has(unit)) return index;
    if (unit === OPEN) open += 1;
    if (unit === CLOSE && open-- === 0) return index;
  }
  return text.length;
}

function startsWith(text: CodeUnits, start: number, beginning: string): boolean {
  if (start + beginning.length > text.length) return false;
  for (let index = 0; index < beginning.length; index += 1) {
    if (text.charCodeAt(start + index) !== beginning.charCodeAt(index)) return false;
  }
  return true;
}
