import { classOf, LETTER } from "./letters.js";

/** Scripts that no language of the model uses, each with its most common language: first and last code unit. */
const SCRIPTS: readonly (readonly [number, number, string])[] = [
  [0x0780, 0x07bf, "dv"],
  [0x0b00, 0x0b7f, "or"],
  [0x0c80, 0x0cff, "kn"],
  [0x0d00, 0x0d7f, "ml"],
  [0x0d80, 0x0dff, "si"],
  [0x0e80, 0x0eff, "lo"],
  [0x0f00, 0x0fff, "bo"],
  [0x1000, 0x109f, "my"],
  [0x1200, 0x137f, "am"],
  [0x1780, 0x17ff, "km"],
];

/** A language and its script's share of the text's letters. */
export interface ScriptShare {
  readonly code: string;
  readonly share: number;
}

/** The language of the most frequent script in a text that is foreign to the model; undefined if there is none. */
export const foreignScript = (text: string): ScriptShare | undefined => {
  let letters = 0;
  const counts = new Map<string, number>();
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (classOf[unit] !== LETTER) continue;
    letters++;
    const code = SCRIPTS.find(([first, last]) => unit >= first && unit <= last)?.[2];
    if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best === undefined ? undefined : { code: best[0], share: best[1] / letters };
};

const LATIN = /\p{Script=Latin}/u;
const LATIN_LETTERS = /\p{Script=Latin}+/gu;
const OTHER = /(?!\p{Script=Latin})\p{L}/u;
const UPPER = /\p{Lu}/u;
/** Names, slogans and tags in Latin letters occur in posts of every language, so that they count less than other words. */
const NAME_WEIGHT = 1 / 3;
/** A word in another script is often a quotation. */
const OTHER_WORDS_MIN = 2;

let words: Intl.Segmenter | undefined;

/**
 * A text in two scripts without its Latin letters, if it has about as many words in the other script: writers of such
 * languages name and quote in Latin letters, and others rarely quote theirs. Undefined for a text in one script, and for
 * one that is mostly Latin. The text is as written, not in lower case.
 */
export const withoutLatin = (text: string): string | undefined => {
  if (!LATIN.test(text) || !OTHER.test(text)) return undefined;
  words ??= new Intl.Segmenter(undefined, { granularity: "word" });
  let [latin, others] = [0, 0];
  for (const { segment, index, isWordLike } of words.segment(text)) {
    if (isWordLike !== true) continue;
    if (LATIN.test(segment)) latin += UPPER.test(segment) || text[index - 1] === "#" ? NAME_WEIGHT : 1;
    else if (OTHER.test(segment)) others += 1;
  }
  return others >= OTHER_WORDS_MIN && others >= latin ? text.replace(LATIN_LETTERS, " ") : undefined;
};
