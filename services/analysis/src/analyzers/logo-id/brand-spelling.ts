/**
 * Splits print into the words by which brands are compared: lower case, without accents, apostrophes or joining signs;
 * other signs separate words. `Häagen-Dazs` → `haagen`, `dazs`; `McDonald's` → `mcdonalds`; `AT&T` → `at&t`.
 */
export const brandWords = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/\p{M}|['’`´®™©]/gu, "")
    .toLowerCase()
    .replaceAll("ø", "o")
    .split(/[^\p{L}\p{N}&+]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

/** The comparison key: the words without spaces, because OCR loses or invents spaces. */
export const brandKey = (text: string): string => brandWords(text).join("");
