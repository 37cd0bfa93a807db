/** Shares and sizes that print has; grain, leaves and railings are read as others. */
const SIGNS_MAX = 0.4;
const LETTERS_MIN = 2;

/**
 * Whether a reading looks like print: two letters or digits at least, few other signs, not one letter again and again, and not Chinese
 * and Latin letters mixed up in a word. What is left out so are patterns that the network takes for signs.
 */
export const isPlausiblePrint = (text: string): boolean => {
  const signs = [...text].filter((sign) => sign !== " ");
  const letters = signs.filter((sign) => /[\p{L}\p{N}]/u.test(sign));
  if (letters.length < LETTERS_MIN || letters.length < signs.length * (1 - SIGNS_MAX)) return false;
  if (letters.length > LETTERS_MIN && new Set(letters).size === 1) return false;
  const chinese = letters.filter((sign) => /\p{Script=Han}/u.test(sign)).length;
  return chinese === 0 || chinese === letters.length || chinese >= 2;
};
