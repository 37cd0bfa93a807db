import type { CodeUnits } from "./code-units.js";

const APOSTROPHE = 0x27;
const LETTER_S = 0x73;

/** Where a word stands in a folded text. */
export interface WordRange {
  readonly start: number;
  readonly end: number;
}

/**
 * What Romance languages write before a vowel without its own, folded: articles, prepositions with an article, pronouns
 * and conjunctions.
 */
const ELIDED: ReadonlySet<string> = new Set([
  ...["c", "d", "j", "l", "m", "n", "s", "t", "v", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"],
  ...["gl", "un", "all", "coll", "dall", "dell", "nell", "sull", "quell", "quest"],
]);
const ELIDED_UNITS_MAX = Math.max(...Array.from(ELIDED, ({ length }) => length));

/**
 * The word without possessives at its end (`kestrel's`) and without elided words before it (`l'iphone`), so that the word
 * alone is compared. What remains has neither.
 */
export function withoutAffixes(text: CodeUnits, { start, end }: WordRange): WordRange {
  let last = end;
  while (last - start > 2 && isPossessive(text, last)) last -= 2;
  let first = start;
  for (let next = afterElision(text, { start, end: last }); next > first;) {
    first = next;
    next = afterElision(text, { start: first, end: last });
  }
  return { start: first, end: last };
}

function isPossessive(text: CodeUnits, end: number): boolean {
  return text.charCodeAt(end - 1) === LETTER_S && text.charCodeAt(end - 2) === APOSTROPHE;
}

/** Where the word goes on after an elided one; its start if there is none. */
function afterElision(text: CodeUnits, { start, end }: WordRange): number {
  const latest = Math.min(start + ELIDED_UNITS_MAX, end - 2);
  for (let index = start + 1; index <= latest; index += 1) {
    if (text.charCodeAt(index) !== APOSTROPHE) continue;
    return ELIDED.has(text.slice(start, index)) ? index + 1 : start;
  }
  return start;
}
