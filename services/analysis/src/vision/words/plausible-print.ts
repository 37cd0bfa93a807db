/** Typical shares and sizes of print; readings of grain, leaves and railings differ. */
const SIGNS_MAX = 0.4;
const LETTERS_MIN = 2;

/** Shorter runs of letters in one case are not separate words, as in "YouTube". */
const RUN_MIN = 3;
/** A line with this many odd places, and one per so many letters, is in another script: "Mara3HH OTKpbIT". */
const ODD_MIN = 2;
const LETTERS_PER_ODD = 12;

/**
 * Whether a reading looks like print: at least two letters or digits, few other signs, no endless repetition of one
 * letter, no mixture of Chinese and Latin letters in a word, and capitals and digits in plausible places. This excludes
 * patterns that the network takes for signs, and unknown scripts, whose letters it takes for the most similar Latin
 * ones.
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

/**
 * Number of places in a word where a capital begins or ends a short run of letters, or digits stand between letters.
 */
const oddPlaces = (word: string): number => {
  if (!/\p{Ll}/u.test(word)) return 0;
  // The prefix of a name is not a run: "iPhone", "McDonald".
  const runs = word.replace(/^\p{L}\p{Ll}?(?=\p{Lu}\p{L}{2})/u, "").split(/(?<=\p{Ll})(?=\p{Lu})/u);
  const short = runs.slice(1).filter((run, at) => Math.min(run.length, runs[at]!.length) < RUN_MIN).length;
  return short + (word.match(/(?<=\p{L})\p{N}+(?=\p{L})/gu)?.length ?? 0);
};
