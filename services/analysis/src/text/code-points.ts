/** A surrogate pair. */
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

/**
 * Converts UTF-16 offsets into code points, the unit of the interface. A lone surrogate counts as one character; an
 * offset inside a pair is that of the pair.
 */
export const codePointOffsets = (text: string): ((offset: number) => number) => {
  if (!PAIR.test(text)) return (offset) => offset;
  const offsets = new Uint32Array(text.length + 1);
  let at = 0;
  let count = 0;
  for (const character of text) {
    offsets.fill(count, at, at + character.length);
    at += character.length;
    count++;
  }
  offsets[text.length] = count;
  return (offset) => offsets[offset] ?? count;
};

/** Converts offsets in code points into UTF-16: the inverse of `codePointOffsets` at the bounds of characters. */
export const utf16Offsets = (text: string): ((offset: number) => number) => {
  if (!PAIR.test(text)) return (offset) => offset;
  const offsets: number[] = [];
  let at = 0;
  for (const character of text) {
    offsets.push(at);
    at += character.length;
  }
  return (offset) => offsets[offset] ?? at;
};
