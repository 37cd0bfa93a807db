/** Invisible or symbolic characters that end a word; NFKC would glue ™ and ℠ to the word before them. */
const SEPARATORS = /[\u200B\u2122\u2120]/gu;

/** Marks and modifiers that folding removes; explicit ranges do not change with the version of ICU. */
const REMOVED_RANGES = [
  // Diacritics: U+0300 and its supplements.
  "300-36F 1AB0-1AFF 1DC0-1DFF 20D0-20FF FE20-FE2F",
  // Vowel points of Hebrew.
  "591-5BD 5BF 5C1-5C2 5C4-5C5 5C7",
  // Vowel signs and other annotations of Arabic, and the stretching tatweel.
  "610-61A 640 64B-65F 670 6D6-6DC 6DF-6E4 6E7-6E8 6EA-6ED",
  // Variation selectors and skin tones.
  "FE00-FE0F E0100-E01EF 1F3FB-1F3FF",
];

const REMOVED_CLASS = `[${REMOVED_RANGES.join(" ")
  .replaceAll(/[0-9A-F]+/g, "\\u{$&}")
  .replaceAll(" ", "")}]`;

/**
 * Also format characters, except a joiner before an emoji. Vowel signs of other scripts and the voicing marks of kana
 * distinguish words, and stay.
 */
const REMOVED = new RegExp(`${REMOVED_CLASS}|(?!\\u200D)\\p{Cf}|\\u200D(?!\\p{Extended_Pictographic})`, "gu");

/** Normalization sorts the marks of one letter in quadratic time; real text has far fewer than 30 (UAX #15). */
const MARKS_BEYOND_30 = /(\p{M}{30})\p{M}+/gu;

/** Letters that differ by a stroke or ligature, which Unicode does not decompose, and apostrophes. */
const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ["ς", "σ"],
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ħ", "h"],
  ["ŧ", "t"],
  // Arabic letters as Persian and Urdu keyboards write them, and a yeh without its dots.
  ["\u06A9", "\u0643"],
  ["\u06AA", "\u0643"],
  ["\u06CC", "\u064A"],
  ["\u0649", "\u064A"],
  ["‘", "'"],
  ["’", "'"],
  ["ʼ", "'"],
]);
const REPLACED = new RegExp(`[${[...REPLACEMENTS.keys()].join("")}]`, "gu");

const ASCII = /^[\0-\x7F]*$/;

/**
 * The form in which texts and queries are compared: NFKC, without case, diacritics and invisible characters.
 * Folding twice changes nothing. Takes time linear in the length.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const decomposed = text
    .replace(MARKS_BEYOND_30, "$1")
    .replace(SEPARATORS, " ")
    .normalize("NFKD")
    .replace(REMOVED, "");
  return withoutCase(decomposed)
    .replace(REPLACED, (letter) => REPLACEMENTS.get(letter) ?? letter)
    .normalize("NFC");
}

/** Upper case first: it unites letters with several lower-case forms, such as the dotless i. */
function withoutCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/** White space of any kind and control characters: no short text needs them to be told from another. */
const GAP = "[\\s\\x00-\\x1f\\x7f-\\x9f]";
const GAPS = new RegExp(`${GAP}+`, "g");
const HAS_ODD_GAPS = new RegExp(`(?! )${GAP}|  |^ | $`);
/** What is shown as it is: most names, which summaries and segments compare by the million. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
const SIGNS = /^[#@][#@ ]*/;

/**
 * The form in which short texts are compared: names, tags, topics, and what is looked for among them. Folded, trimmed, with
 * single spaces, and without a `#` or `@` before it. Empty only if nothing of the text is kept.
 */
export function foldName(text: string): string {
  const folded = PLAIN.test(text) ? text.toLowerCase() : withSingleSpaces(fold(text));
  const first = folded.charCodeAt(0);
  return first === HASH || first === AT ? folded.replace(SIGNS, "") || folded : folded;
}

const HASH = "#".charCodeAt(0);
const AT = "@".charCodeAt(0);

/** How a short text is shown: composed, trimmed, with single spaces. */
export function shownName(text: string): string {
  return PLAIN.test(text) ? text : withSingleSpaces(text.normalize("NFC"));
}

function withSingleSpaces(text: string): string {
  return HAS_ODD_GAPS.test(text) ? text.replace(GAPS, " ").trim() : text;
}
