/**
 * Cuts print into the words that brands are compared by: small letters without accents, apostrophes or joining signs; what is
 * left between other signs is a word. `Häagen-Dazs` → `haagen`, `dazs`; `McDonald's` → `mcdonalds`; `AT&T` → `at&t`.
 */
export const brandWords = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/\p{M}|['’`´®™©]/gu, "")
    .toLowerCase()
    .replaceAll("ø", "o")
    .split(/[^\p{L}\p{N}&+]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

/** What is compared: the words without the spaces between them, which readers of print lose or invent. */
export const brandKey = (text: string): string => brandWords(text).join("");
