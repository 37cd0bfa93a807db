/** What is read of a text. A string; tests pass one that counts how often it is read. */
export type CodeUnits = Pick<string, "length" | "charCodeAt" | "slice">;

/** The code point at an index; a lone surrogate stands for itself. */
export function codePointAt(text: CodeUnits, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdbff || index + 1 >= text.length) return unit;
  const low = text.charCodeAt(index + 1);
  return low < 0xdc00 || low > 0xdfff ? unit : (unit - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;
}

/** How many code units a code point takes. */
export function widthOf(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}
