/** Classes of characters by which folded text is divided into words: those of UAX #29, and what postings add. */
export const OTHER = 1;
export const LETTER = 2;
export const DIGIT = 3;
/** A combining mark, which continues the word of its letter. */
export const MARK = 4;
export const UNDERSCORE = 5;
/** Joins two letters: `·`, the gershayim. */
export const MID_LETTER = 6;
/** Joins two digits: `,`. */
export const MID_NUMBER = 7;
/** Joins two letters or two digits: `.` and `'`. */
export const MID_EITHER = 8;
/** A script without spaces, whose words a dictionary finds. */
export const DICTIONARY = 9;
export const EMOJI = 10;
/** One of the two letters of a flag. */
export const REGIONAL = 11;
/** Written with spaces, but particles follow names in other letters without one: they are their own words. */
export const HANGUL = 12;

const MIDDLES: ReadonlyMap<string, number> = new Map([
  ...Array.from("\u00B7\u055F\u05F4\u2027", (char) => [char, MID_LETTER] as const),
  ...Array.from("\u002C\u003B\u0589\u060C\u060D\u066C\u07F8\u2044", (char) => [char, MID_NUMBER] as const),
  ...Array.from("'.", (char) => [char, MID_EITHER] as const),
]);

/** In this order: the first that fits a character decides. */
const CLASSES: readonly (readonly [RegExp, number])[] = [
  [/^\p{Nd}$/u, DIGIT],
  [/^(?!\p{S})[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\u30FC]$/u, DICTIONARY],
  [/^\p{sc=Hang}$/u, HANGUL],
  // The voicing marks of kana, where they stand alone.
  [/^[\u3099-\u309A]$/u, DICTIONARY],
  [/^\p{L}$/u, LETTER],
  [/^\p{N}$/u, DIGIT],
  [/^\p{M}$/u, MARK],
  [/^_$/u, UNDERSCORE],
  [/^\p{Regional_Indicator}$/u, REGIONAL],
  // © and ® follow names; as their own words they would divide phrases.
  [/^(?![\u00A9\u00AE])\p{Extended_Pictographic}$/u, EMOJI],
];

const BMP_SIZE = 0x10000;
/** Classes of the characters met so far; 0 where not yet known. */
const known = new Uint8Array(BMP_SIZE);
const knownBeyond = new Map<number, number>();

/** The class of a code point of folded text. */
export function classOf(codePoint: number): number {
  if (codePoint >= BMP_SIZE) return classBeyond(codePoint);
  const cached = known[codePoint]!;
  return cached === 0 ? (known[codePoint] = classify(codePoint)) : cached;
}

function classBeyond(codePoint: number): number {
  let found = knownBeyond.get(codePoint);
  if (found === undefined) knownBeyond.set(codePoint, (found = classify(codePoint)));
  return found;
}

function classify(codePoint: number): number {
  const char = String.fromCodePoint(codePoint);
  const middle = MIDDLES.get(char);
  return middle ?? CLASSES.find(([pattern]) => pattern.test(char))?.[1] ?? OTHER;
}

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
