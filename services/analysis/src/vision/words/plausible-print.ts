/** Shares and sizes that print has; grain, leaves and railings are read as others. */
const SIGNS_MAX = 0.4;
const LETTERS_MIN = 2;

/** Shorter runs between small letters and capitals are no words written together, as in "YouTube". */
const RUN_MIN = 3;
/** From so many odd places in a line, and one for so many letters, it is of another script: "Mara3HH OTKpbIT". */
const ODD_MIN = 2;
const LETTERS_PER_ODD = 12;

/**
 * Whether a reading looks like print: two letters or digits at least, few other signs, not one letter again and again, not Chinese
 * and Latin letters mixed up in a word, and capitals and digits where they may stand. What is left out so are patterns that the
 * network takes for signs, and scripts that it does not know, whose letters it takes for the likest Latin ones.
 */
export const isPlausiblePrint = (text: string): boolean => {
  const signs = [...text].filter((sign) => sign !== " ");
  const letters = signs.filter((sign) => /[\p{L}\p{N}]/u.test(sign));
  if (letters.length < LETTERS_MIN || letters.length < signs.length * (1 - SIGNS_MAX)) return false;
  if (letters.length > LETTERS_MIN && new Set(letters).size === 1) return false;
  const chinese = letters.filter((sign) => /\p{Script=Han}/u.test(sign)).length;
  if (chinese > 0 && chinese < Math.min(2, letters.length)) return false;
  const odd = text.split(/[^\p{L}\p{N}]+/u).reduce((sum, word) => sum + oddPlaces(word), 0);
  return odd < ODD_MIN || odd * LETTERS_PER_ODD < letters.length;
};

/** Places in a word where a capital begins a run of few letters or ends one, or digits stand between letters. */
const oddPlaces = (word: string): number => {
  if (!/\p{Ll}/u.test(word)) return 0;
  // What a name begins with is no run: "iPhone", "McDonald".
  const runs = word.replace(/^\p{L}\p{Ll}?(?=\p{Lu}\p{L}{2})/u, "").split(/(?<=\p{Ll})(?=\p{Lu})/u);
  const short = runs.slice(1).filter((run, at) => Math.min(run.length, runs[at]!.length) < RUN_MIN).length;
  return short + (word.match(/(?<=\p{L})\p{N}+(?=\p{L})/gu)?.length ?? 0);
};
