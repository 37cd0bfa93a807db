/** Addresses, handles and hashtags are single words for a reason. */
const NOT_WORDS = /(?:https?:\/\/|www\.)\S+|[\w.+-]{0,64}@\w[\w.]{0,64}|[#＃]\S+/giu;
const WORDS = /[\p{L}\p{M}'’]+/gu;
/** Scripts of languages that put no spaces between words. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** Korean writes a syllable as one letter. */
const SYLLABLES = /\p{Script=Hangul}/u;
const ELONGATED = /(\p{L})\1+/gu;
/** Names of classes and products: their capitals divide them. */
const CAPITALS_INSIDE = /\p{Ll}\p{Lu}/gu;

/** Words of this length are rare in every language. */
const GLUED_LETTERS_MIN = 22;
/** Languages that write compounds and endings as one word, which may well be that long. */
const COMPOUNDING = new Set("af da de et eu fi hu is la nb nl nn sv ta te tr".split(" "));
const GLUED_COMPOUND_MIN = 34;
const GLUED_SYLLABLES_MIN = 14;
/** Laughter and the like repeat fewer different letters. */
const DIFFERENT_LETTERS_MIN = 7;
/** The share of a text's letters in such words. */
const SHARE_MIN = 0.5;

/**
 * Whether most of a text is written without the spaces that its language has (`thisiswrittenwithoutspaces`), so that
 * no analysis finds its words.
 */
export const lacksSpaces = (text: string, language: string): boolean => {
  const lettersMin = COMPOUNDING.has(language) ? GLUED_COMPOUND_MIN : GLUED_LETTERS_MIN;
  let [all, glued] = [0, 0];
  for (const [word] of text.replace(NOT_WORDS, " ").matchAll(WORDS)) {
    const letters = [...word.replace(ELONGATED, "$1")];
    all += letters.length;
    if (isGlued(word, letters, lettersMin)) glued += letters.length;
  }
  return glued > 0 && glued >= SHARE_MIN * all;
};

const isGlued = (word: string, letters: readonly string[], lettersMin: number): boolean =>
  letters.length >= (SYLLABLES.test(word) ? GLUED_SYLLABLES_MIN : lettersMin) &&
  !WITHOUT_SPACES.test(word) &&
  new Set(letters).size >= DIFFERENT_LETTERS_MIN &&
  (word.match(CAPITALS_INSIDE) ?? []).length < 2;
