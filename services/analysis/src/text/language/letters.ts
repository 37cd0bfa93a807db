/** Longer texts are sampled by windows spread evenly over the text, so that no single part decides. */
const LENGTH_MAX = 1000;
const WINDOWS = 5;
const WINDOW_LENGTH = LENGTH_MAX / WINDOWS;

/** Addresses, handles and HTML entities contain English letters in posts of every language. */
const NOISE = /(?:https?:\/\/|www\.)\S+|[\w.+-]{0,64}@\w[\w.]{0,64}|&(?:amp|lt|gt|quot|nbsp|#39);/gi;
const NOISE_SIGN = /[@/&]|www/i;

/** Stylised letters: mathematical alphabets, full-width Latin, Arabic presentation forms. */
const DRESSED = /[\ud835\uff21-\uff5a\ufb50-\ufdff\ufe70-\ufefc]/;
const COMBINING = /[\u0300-\u036f]/;

/**
 * The part of a text used for language detection, in lower case: at most 1,000 characters, without addresses and
 * handles.
 */
export const clean = (text: string): string => tidy(text).toLowerCase();

/** What `clean` puts into lower case. */
export const tidy = (text: string): string => {
  let part = text.length > LENGTH_MAX ? sample(text) : text;
  if (NOISE_SIGN.test(part)) part = part.replace(NOISE, " ");
  if (DRESSED.test(part)) part = part.normalize("NFKC");
  else if (COMBINING.test(part)) part = part.normalize("NFC");
  return part;
};

const sample = (text: string): string => {
  const stride = (text.length - WINDOW_LENGTH) / (WINDOWS - 1);
  return Array.from({ length: WINDOWS }, (_, i) => {
    const start = Math.round(i * stride);
    return text.slice(start, start + WINDOW_LENGTH);
  }).join(" ");
};

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
interface ScriptShare {
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
const OTHER_SCRIPT = /(?!\p{Script=Latin})\p{L}/u;
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
  if (!LATIN.test(text) || !OTHER_SCRIPT.test(text)) return undefined;
  words ??= new Intl.Segmenter(undefined, { granularity: "word" });
  let [latin, others] = [0, 0];
  for (const { segment, index, isWordLike } of words.segment(text)) {
    if (isWordLike !== true) continue;
    if (LATIN.test(segment)) latin += UPPER.test(segment) || text[index - 1] === "#" ? NAME_WEIGHT : 1;
    else if (OTHER_SCRIPT.test(segment)) others += 1;
  }
  return others >= OTHER_WORDS_MIN && others >= latin ? text.replace(LATIN_LETTERS, " ") : undefined;
};

/** Classes of UTF-16 code units; 0 is everything else. */
export const LETTER = 1;
export const APOSTROPHE = 2;

/** One class per code unit. Digits, punctuation, emoji and surrogates, lone or paired, only separate words. */
export const classOf: Uint8Array = (() => {
  const table = new Uint8Array(0x1_0000);
  const letter = /[\p{L}\p{M}]/u;
  const ornament = /[\p{Variation_Selector}\p{Me}]/u;
  for (let unit = 0; unit < table.length; unit++) {
    if (unit >= 0xd800 && unit <= 0xdfff) continue;
    const character = String.fromCharCode(unit);
    if (letter.test(character) && !ornament.test(character)) table[unit] = LETTER;
  }
  for (const mark of "'\u2019\u02bc") table[mark.charCodeAt(0)] = APOSTROPHE;
  return table;
})();
